/** Why a file is not kept. */
const statuses = {
  file_too_large: 413,
  storage_full: 413,
  too_many_files: 413,
  unsupported_media_type: 415,
  unreadable_picture: 422,
  picture_too_large: 422,
  file_gone: 410,
  account_gone: 410,
} as const;

export type FileRefusal = keyof typeof statuses;

/** A file is not kept, and nothing of it is. The response has the status and the code. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly code: FileRefusal;
  readonly status: number;

  constructor(code: FileRefusal) {
    super(`The file is refused: ${code}.`);
    this.code = code;
    this.status = statuses[code];
  }
}
