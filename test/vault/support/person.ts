import { createBackend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './rig.ts'

export const user = 'did:privy:one'

/** A person with a wallet on this device. */
export async function withWallet() {
  const backend = createBackend()
  const device = createDevice()
  const token = makeToken(user)
  const vault = openTab(backend, device)
  const me = person(vault, token)
  const { address = '' } = await me.create()
  const stored = backend.wallets.get(user) ?? missing()
  return { backend, device, token, vault, me, address, stored }
}
/** Which calls the server got, without the address. */
export const paths = (backend: ReturnType<typeof createBackend>) =>
  backend.calls.map((call) => call.path.replace(/^\/0x[^/]+/, ''))

function missing(): never {
  throw new Error('The server has no wallet')
}
