import { readFileSync, statSync } from 'node:fs'
import type { AppSettings } from './demo-apps.ts'

/** The apps of a file, each changed when the file was, unless it says otherwise. @throws Error that names the file, with the reason as its cause */
export function readAppsFile(file: string): AppSettings[] {
  const apps = parseJson(`APPS_FILE (${file})`, () => readFileSync(file, 'utf8'))
  if (!Array.isArray(apps) || !apps.every((app) => typeof app === 'object' && app !== null))
    throw new Error(`APPS_FILE (${file}) must be a list of apps: [{ "id": …, "name": … }]`)
  const updatedAt = Math.floor(statSync(file).mtimeMs)
  return apps.map((app) => ({ updatedAt, ...app }))
}

/** A variable with a whole number of milliseconds. @throws Error that names it */
export function readMilliseconds(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number of milliseconds`)
  return Number(text)
}

/** What a variable holds. @throws Error that names it, with the reason as its cause */
export function parseJson(name: string, text: () => string): unknown {
  try {
    return JSON.parse(text())
  } catch (cause) {
    throw new Error(`${name} cannot be read`, { cause })
  }
}
