/** Splits chunks into lines with limited memory. */
import { textOf } from '../messages/json-text.ts';

const newline = 0x0a;

export interface LineListener {
  /** A line without its `\n`, or undefined for one that is not UTF-8. Blank lines are skipped. */
  line(text: string | undefined): void;
  /** Called once for each line over the limit, at its end. */
  tooLong(): void;
}

export class LineReader {
  #parts: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly listener: LineListener,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) break;
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.maxBytes) this.#parts.push(part);
  }

  #finish(): void {
    const [parts, length] = [this.#parts, this.#length];
    this.#parts = [];
    this.#length = 0;
    if (length > this.maxBytes) {
      this.listener.tooLong();
      return;
    }
    const text = textOf(Buffer.concat(parts));
    if (text?.trim() !== '') this.listener.line(text);
  }
}
