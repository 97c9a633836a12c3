/** Why a recovery can't go on, in words for the person at the terminal. Nothing secret is in them. */
export class FileError extends Error {
  override name = 'FileError'
}
