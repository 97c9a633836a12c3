/** Reads the project's own TypeScript as text. It has a module of its own because parsing sources, and loading the parser, takes seconds. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface SourceText {
  /** From the root of the project, with forward slashes. */
  readonly file: string
  readonly text: string
}

/** All sources under these folders, in order. */
export function readTexts(folders: readonly string[]): SourceText[] {
  return folders
    .flatMap((folder) => (fs.existsSync(path.join(root, folder)) ? filesOf(folder) : []))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort()
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))
}

function filesOf(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
}
