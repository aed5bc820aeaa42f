/** Runs before commands that load Vite, which reads a `#` or `?` in the path as the end of a file's name, and a `%` as an escape. */
const [mark] = /[#?%]/.exec(process.cwd()) ?? [];

if (mark) {
  process.stderr.write(
    `The path of this folder contains “${mark}”, which Vite cannot read: move or rename ${process.cwd()}.\n`,
  );
  process.exit(1);
}
