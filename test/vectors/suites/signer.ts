/** A vault with one imported key, asked as a page asks it; for wherever the suites run. */
import { systemClock } from '../../../src/lib/clock.ts'
import { frameEvents, verifiers } from '../../../src/protocol/frame/calls.ts'
import { memoryKeys } from '../../../src/vault/device/key-store.ts'
import { createVault } from '../../../src/vault/entry/vault.ts'
import { channelLogouts } from '../../../src/vault/logouts.ts'
import { pageLocks } from '../../../src/vault/shares/locks.ts'
import { memoryStore } from '../../../src/vault/shares/store.ts'

const appId = 'clatchkeyvectors000000001'
const base64url = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const accessToken = `${base64url({ alg: 'ES256' })}.${base64url({ sub: 'did:privy:vectors', aud: appId, exp: 4e9 })}.c2ln`

/** Takes every new root as it comes. */
async function takeRoot(_: string, init: RequestInit = {}): Promise<Response> {
  const { address, wallet_id } = JSON.parse(String(init.body))
  return new Response(JSON.stringify({ address, wallet_id, created: true }))
}

/** Imports an Ethereum key, 0x-hex. */
export async function signerOf(privateKey: string) {
  const vault = createVault({
    settings: {
      appId,
      apiUrl: 'https://api.example',
      allowedOrigins: [],
      googleDriveUrl: 'https://drive.example',
      cloudKitUrl: 'https://cloudkit.example',
      vault: 'compatible',
      rawSigning: true,
      appName: '',
      requireOwnRecovery: false,
      delegates: [],
    },
    fetch: takeRoot,
    clock: systemClock,
    store: memoryStore(),
    locks: pageLocks(),
    keys: memoryKeys(),
    logouts: channelLogouts(appId, () => new BroadcastChannel(appId)),
  })
  async function ask(event: string, data: Parameters<typeof vault.answer>[0]['data']) {
    const answer = await vault.answer({ id: crypto.randomUUID(), event, data: { accessToken, ...data } })
    if (answer.error) throw new Error(answer.error.message)
    return answer.data as { address: string; response: { data: string } }
  }
  const { address } = await ask(frameEvents.importWallet, { chainType: 'ethereum', privateKey })
  const root = { entropyId: address, entropyIdVerifier: verifiers.ethereum }
  return {
    address,
    async rpc(method: string, params: readonly (string | number)[]): Promise<string> {
      const path = { chainType: 'ethereum', hdWalletIndex: 0 }
      return (await ask(frameEvents.walletRpc, { ...root, ...path, request: { method, params } })).response
        .data
    },
  }
}
