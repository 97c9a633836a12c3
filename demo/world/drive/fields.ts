import { driveErrors } from './errors.ts'

/** What a call wants of an answer: names, and of lists the names within. `*` is everything. */
type Wanted = Map<string, Wanted | undefined>

/**
 * Leaves of an answer what the `fields` of a call name, such as `id,name` or `files(id,name)`.
 * @throws DriveError when it names what the answer can't have
 * @param known every name that the answer may have
 */
export function pick(answer: object, fields: string | undefined, known: readonly string[]): object {
  return fields === undefined ? answer : pickFrom(answer, read(fields), known)
}

function pickFrom(value: object, wanted: Wanted, known: readonly string[]): object {
  if (wanted.has('*')) return value
  const picked: Record<string, unknown> = {}
  for (const [name, within] of wanted) {
    const found = (value as Record<string, unknown>)[name]
    if (found === undefined && !known.includes(name))
      throw driveErrors.invalid('fields', `Invalid field selection ${name}`)
    if (found === undefined) continue
    picked[name] =
      within && Array.isArray(found)
        ? found.map((entry: object) => pickFrom(entry, within, Object.keys(entry)))
        : found
  }
  return picked
}

function read(text: string): Wanted {
  const wanted: Wanted = new Map()
  const shape = /^\s*([A-Za-z]+|\*)(?:\(([^()]*)\))?\s*$/
  for (const one of text.split(/,(?![^(]*\))/)) {
    const [, name, within] = shape.exec(one) ?? []
    if (!name) throw driveErrors.invalid('fields', `Invalid field selection ${one.slice(0, 64)}`)
    wanted.set(name, within === undefined ? undefined : read(within))
  }
  return wanted
}
