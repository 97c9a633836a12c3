/** The packed registry of descriptors that comes with this server, and the part of it that a request needs. */
import fs from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type PackedRegistry, type Selection, selectDescriptors } from '../../../src/clear-signing/index.ts'

export interface Descriptors {
  select(selection: Selection): Promise<PackedRegistry>
}

/** Reads the snapshot when it is first asked for, and then keeps it. */
export function createDescriptors(file = new URL('./registry.json.gz', import.meta.url)): Descriptors {
  let registry: Promise<PackedRegistry> | undefined
  return {
    async select(selection) {
      registry ??= load(file)
      return selectDescriptors(await registry, selection)
    },
  }
}

async function load(file: URL): Promise<PackedRegistry> {
  const text = await promisify(gunzip)(await fs.readFile(file))
  return JSON.parse(text.toString('utf8'))
}
