/**
 * Packs a checkout of the ERC-7730 registry into the file that the server serves descriptors from: each with all that it includes, and
 * with the signatures of auditors that were verified. `npm run descriptors -- <folder> [file]`; without a file it replaces the one that
 * comes with the server.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { descriptorHash, verifyAttestation } from '../../src/clear-signing/attestation.ts'
import { compactAttestation, packRegistry } from '../../src/clear-signing/registry.ts'
import { root } from '../setup/run.mjs'
import { type Checkout, type CheckoutDescriptor, findRegistry, listFiles, readCheckout } from './checkout.ts'

const [folder, file = path.join(root, 'demo/backend/descriptors/registry.json.gz')] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: npm run descriptors -- <folder of a registry checkout> [file]')
  process.exit(2)
}
const checkout = readCheckout(findRegistry(folder))
const entries = checkout.descriptors.map((each) => withAttestations(checkout, each))
const packed = packRegistry(
  {
    repository: 'https://github.com/ethereum/clear-signing-erc7730-registry',
    ...commitOf(checkout.folder),
    licence: 'CC0-1.0',
  },
  entries.map(({ entry }) => entry),
)
const zipped = gzipSync(JSON.stringify(packed), { level: 9 })
fs.mkdirSync(path.dirname(file), { recursive: true })
fs.writeFileSync(file, zipped)

for (const [each, reason] of checkout.refused) console.log(`Left out ${each}: ${reason}`)
for (const { failed } of entries)
  for (const each of failed) console.log(`Not a signature of its descriptor: ${each}`)
const all = Object.values(packed.descriptors)
console.log(
  [
    `${all.length} descriptors for ${Object.keys(packed.calls).length} contracts and ${Object.keys(packed.messages).length} message types,`,
    `${all.filter(({ attestations }) => attestations.length > 0).length} of them audited as a whole:`,
    `${file}, ${Math.round(zipped.length / 1024)} KiB`,
  ].join(' '),
)

function withAttestations(checkout: Checkout, descriptor: CheckoutDescriptor) {
  const name = path.posix.basename(descriptor.path, '.json')
  const sigs = listFiles(checkout.folder, `${path.posix.dirname(descriptor.path)}/sigs`)
  const hash = descriptorHash(descriptor.raw) ?? ''
  const failed: string[] = []
  const attestations: unknown[] = []
  for (const sig of sigs.filter((each) => path.posix.basename(each).startsWith(`${name}.eip155-`))) {
    const raw: unknown = JSON.parse(fs.readFileSync(path.join(checkout.folder, sig), 'utf8'))
    if (!verifyAttestation(raw, hash)) failed.push(sig)
    // A signature covers the file itself, not what it includes.
    else if (!descriptor.includes) attestations.push(compactAttestation(raw))
  }
  return { entry: { ...descriptor, attestations }, failed }
}

/** The commit of the checkout, if it is one of git. */
function commitOf(at: string): { commit?: string } {
  try {
    const commit = execFileSync('git', ['-C', at, 'rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const top = execFileSync('git', ['-C', at, 'rev-parse', '--show-toplevel'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return fs.realpathSync(top.trim()) === fs.realpathSync(at) ? { commit: commit.trim() } : {}
  } catch {
    return {}
  }
}
