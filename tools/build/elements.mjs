/** Which elements are public: those that have a file of their own in elements/define/. */
import fs from 'node:fs'
import path from 'node:path'

/** The tags, in order. */
export function publicElements(root) {
  return fs
    .readdirSync(path.join(root, 'elements/define'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort()
}
