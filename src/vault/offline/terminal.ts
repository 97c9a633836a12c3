import { closeSync, fstatSync, openSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { vaultLimits } from '../limits.ts'
import { FileError } from './file-error.ts'
import type { ToolIo } from './tool.ts'

const { stdin, stdout, stderr, platform } = process

/** Others' rights of a file; there are none to be seen on Windows. */
const OTHERS = 0o077
const openToOthers = (mode: number) => platform !== 'win32' && (mode & OTHERS) !== 0

/** The terminal that the tool was started in. */
export const terminal: ToolIo = {
  read(file) {
    const said = attempt(() => statSync(file), `${file} can't be read`)
    if (said.size > vaultLimits.recoveryFileSize) throw new FileError(`${file} is too large`)
    if (openToOthers(said.mode)) stderr.write(`${file} can be read by others on this computer.\n`)
    return attempt(() => readFileSync(file, 'utf8'), `${file} can't be read`)
  },
  write: (file, text, secret) => (file === undefined ? print(text, secret) : save(file, text)),
  ask: (question) => (stdin.isTTY ? askHidden(question) : nextLine()),
  patient: stdin.isTTY === true,
  say: (line) => void stderr.write(`${line}\n`),
}

/** A shell may have turned the output into a file: secrets must not be readable by others there. */
function print(text: string, secret: boolean): void {
  const target = fstatSync(stdout.fd)
  if (secret && target.isFile() && openToOthers(target.mode))
    throw new FileError('The output is a file that others can read. Use --out, or run umask 077 first.')
  if (text !== '') writeFileSync(stdout.fd, text)
}

/** A new file, for its owner only. One that is there is never written over. */
function save(file: string, text: string): void {
  const target = attempt(() => openSync(file, 'wx', 0o600), `${file} can't be created, or already exists`)
  try {
    if (openToOthers(fstatSync(target).mode)) {
      unlinkSync(file)
      throw new FileError(`${file} would be readable by others: its disk does not support file permissions`)
    }
    writeFileSync(target, text)
  } finally {
    closeSync(target)
  }
}

function attempt<T>(work: () => T, message: string): T {
  try {
    return work()
  } catch (cause) {
    throw new FileError(message, { cause })
  }
}

/** Reads a line from the terminal without showing it. */
function askHidden(question: string): Promise<string> {
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve, reject) => {
    let typed: string[] = []
    const end = () => {
      stdin.off('data', onData)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const onData = (text: string) => {
      for (const letter of text) {
        if (letter === '\r' || letter === '\n') {
          end()
          return resolve(typed.join(''))
        }
        if (letter === '\u0003' || letter === '\u0004') {
          end()
          return reject(new FileError('Cancelled.'))
        }
        typed = letter === '\u007f' || letter === '\b' ? typed.slice(0, -1) : [...typed, letter]
      }
    }
    stdin.on('data', onData)
  })
}

let lines: string[] | undefined
/** Without a terminal: the input's lines, one for each question. */
async function nextLine(): Promise<string> {
  lines ??= attempt(() => readFileSync(stdin.fd, 'utf8'), 'There is no terminal, and no input').split(/\r?\n/)
  const line = lines.shift()
  if (line === undefined || line === '') throw new FileError('The input has no line for the password')
  return line
}
