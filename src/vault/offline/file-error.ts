/** Why a recovery can't continue, as a message for the person at the terminal. It contains nothing secret. */
export class FileError extends Error {
  override name = 'FileError'
}
