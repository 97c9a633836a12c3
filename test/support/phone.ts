/** A wallet elsewhere: WalletConnect's own library on the other side of the relay, with a person who says yes or no. */
import { type IWalletKit, WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tolerateLateEnds } from '../../demo/world/wallet/late-ends.ts'

export interface PhoneSettings {
  readonly relayUrl: string
  readonly chains?: readonly number[]
  readonly name?: string
  readonly url?: string
  readonly redirect?: string
}

/** What the wallet opens. A hostile one opens what it likes. */
export type Namespaces = Record<string, { accounts: string[]; methods: string[]; events: string[] }>

const every = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']

export async function startPhone(settings: PhoneSettings) {
  const { relayUrl, chains = [1], name = 'Phone', url = 'https://rainbow.me', redirect } = settings
  const core = new Core({
    projectId: '0'.repeat(32),
    relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
    customStoragePrefix: crypto.randomUUID(),
    storageOptions: { database: ':memory:' },
  })
  // A wallet asks the vendor who the page is; here it would be in the way of seeing what the page itself asks.
  core.verify.resolve = async () => undefined as never
  core.eventClient.init = async () => {}
  const metadata = { name, description: '', url, icons: ['https://evil.example/icon.svg'] }
  const kit: IWalletKit = await WalletKit.init({
    core: core as never,
    metadata: redirect ? { ...metadata, redirect: { native: redirect, universal: redirect } } : metadata,
  })
  tolerateLateEnds(kit.engine.signClient.engine)
  const account = privateKeyToAccount(generatePrivateKey())
  const other = privateKeyToAccount(generatePrivateKey())
  const opens = (...ids: readonly number[]): Namespaces => ({
    eip155: {
      accounts: ids.map((id) => `eip155:${id}:${account.address}`),
      methods: every,
      events: ['accountsChanged', 'chainChanged'],
    },
  })
  const phone = {
    kit,
    account,
    other,
    opens,
    /** What it does when it is asked: set by a test. */
    namespaces: opens(...chains) as Namespaces | undefined,
    answer: 'sign' as 'sign' | 'reject' | 'silence' | 'another key',
    asked: [] as { method: string; chainId: string }[],
    pair: (uri: string) => kit.pair({ uri }),
    topic: () => Object.keys(kit.getActiveSessions())[0] ?? '',
    close: () => core.relayer.transportClose(),
  }
  kit.on('session_proposal', ({ id }) => {
    const { namespaces } = phone
    const answered = namespaces
      ? kit.approveSession({ id, namespaces })
      : kit.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    Promise.resolve(answered).catch(() => {})
  })
  kit.on('session_request', async ({ topic, id, params }) => {
    const { method, params: given } = params.request
    phone.asked.push({ method, chainId: params.chainId })
    if (phone.answer === 'silence') return
    const signer = phone.answer === 'another key' ? other : account
    const response =
      phone.answer === 'reject'
        ? { id, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } }
        : {
            id,
            jsonrpc: '2.0',
            result:
              method === 'personal_sign'
                ? await signer.signMessage({ message: { raw: given[0] as Hex } })
                : null,
          }
    await kit.respondSessionRequest({ topic, response }).catch(() => {})
  })
  return phone
}
export type Phone = Awaited<ReturnType<typeof startPhone>>
