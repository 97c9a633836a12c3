import { createBackend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './device.ts'

export const user = 'did:privy:one'

/** A person with an Ethereum wallet on this device; `recovery` as a page gives it, automatic without. */
export async function withWallet(recovery: object = {}) {
  const backend = createBackend()
  const device = createDevice()
  const token = makeToken(user)
  const vault = openTab(backend, device)
  const me = person(vault, token)
  const { address = '' } = await me.create(recovery)
  return { backend, device, token, vault, me, address, stored: backend.rootOf(user) }
}

/** Which calls the server got, without the address. */
export const paths = (backend: ReturnType<typeof createBackend>) =>
  backend.calls.map((call) => call.path.replace(/^\/(0x[^/]+|[1-9A-HJ-NP-Za-km-z]{32,44})(?=\/)/, ''))
