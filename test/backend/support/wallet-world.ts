import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import type { BackendSettings } from '../../../demo/backend/server.ts'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { type SiwsFields, siwsMessage } from '../../../src/protocol/siws-message.ts'
import { type Answer, Client } from './client.ts'
import { type Store, site, startWorld, type World } from './world.ts'

export const walletApp: AppSettings = {
  id: 'latchkey-test-wallets-001',
  name: 'Own Wallets',
  allowedDomains: ['http://localhost:*', 'https://app.example', 'https://*.app.example'],
  methods: ['wallet', 'solana-wallet', 'email', 'guest'],
  smartWallets: {
    type: 'safe',
    networks: [{ chainId: 'eip155:1', bundlerUrl: 'https://bundler.example', chainName: 'Ethereum' }],
  },
}
/** The same app under another id. */
export const otherApp: AppSettings = { ...walletApp, id: 'latchkey-test-wallets-002' }
export const twoWalletsApp: AppSettings = {
  ...walletApp,
  id: 'latchkey-test-wallets-003',
  maxLinkedWallets: 2,
}
export const emailApp: AppSettings = { ...walletApp, id: 'latchkey-test-wallets-004', methods: ['email'] }

/** Nobody is asked on these chains unless a test says so. */
export const startWalletWorld = (
  store: Store,
  { moreApps = [], ...settings }: Partial<BackendSettings> & { moreApps?: AppSettings[] } = {},
) =>
  startWorld(store, {
    moreApps: [walletApp, otherApp, twoWalletsApp, emailApp, ...moreApps],
    ...settings,
    outside: { chainRpcUrls: {}, ...settings.outside },
  })

export const newAccount = () => privateKeyToAccount(generatePrivateKey())

export interface SolanaAccount {
  address: string
  sign(message: string): string
}
export function newSolanaAccount(): SolanaAccount {
  const secret = ed25519.utils.randomSecretKey()
  return {
    address: base58.encode(ed25519.getPublicKey(secret)),
    sign: (message) =>
      Buffer.from(ed25519.sign(new TextEncoder().encode(message), secret)).toString('base64'),
  }
}

/** What a page sends of a signed message, in the wire's words. */
export interface Presented {
  message: string
  signature: string
  chainId?: string | null
  walletClientType: string | null
  connectorType: string | null
}
/** How a message differs from what a page of the app would make. */
export interface Bend<Fields> {
  change?: (fields: Fields) => Fields
  edit?: (text: string) => string
  signature?: (right: string) => string | Promise<string>
}

const origin = (options: { origin?: string | null }) => options.origin ?? site

/** A browser on a page of the app, whose person has a wallet. */
export class WalletClient extends Client {
  constructor(
    override readonly world: World,
    options: ConstructorParameters<typeof Client>[1] = {},
  ) {
    super(world, { appId: walletApp.id, ...options })
  }

  async nonce(kind: 'siwe' | 'siws', address: string): Promise<string> {
    const answer = await this.post(`${kind}/init`, { address })
    if (answer.status !== 200) throw new Error(`No nonce: ${answer.status} ${answer.text}`)
    return answer.body.nonce
  }

  /** A message that says what is asked, but for what is bent. @param signer whose signature it gets */
  async ethereum(
    { address }: { address: Hex },
    bend: Bend<SiweMessage> & {
      signer?: Pick<LocalAccount, 'signMessage'>
      nonce?: string
      chainId?: number
    } = {},
  ): Promise<Presented> {
    const { chainId = 1, change = (fields) => fields, edit = (text) => text } = bend
    const nonce = bend.nonce ?? (await this.nonce('siwe', address))
    const page = origin(this.options)
    const fields: SiweMessage = {
      domain: new URL(page).host,
      address,
      uri: page,
      version: '1',
      chainId,
      nonce,
      statement: 'You own this wallet, and log in with it. Nothing is sent and no fee is charged.',
      issuedAt: new Date(this.world.clock.now),
      resources: ['https://privy.io'],
    }
    const message = edit(createSiweMessage(change(fields)))
    const right = bend.signer ? await bend.signer.signMessage({ message }) : '0x'
    return {
      message,
      signature: bend.signature ? await bend.signature(right) : right,
      chainId: `eip155:${chainId}`,
      walletClientType: 'metamask',
      connectorType: 'injected',
    }
  }

  /** The same of an account that signs itself. */
  async signed(account: LocalAccount, bend: Parameters<this['ethereum']>[1] = {}): Promise<Presented> {
    return this.ethereum(account, { signer: account, ...bend })
  }

  async solana(
    account: SolanaAccount,
    bend: Bend<SiwsFields> & { signer?: SolanaAccount; nonce?: string } = {},
  ): Promise<Presented> {
    const { change = (fields) => fields, edit = (text) => text } = bend
    const nonce = bend.nonce ?? (await this.nonce('siws', account.address))
    const page = origin(this.options)
    const fields: SiwsFields = {
      domain: new URL(page).host,
      address: account.address,
      uri: page,
      version: '1',
      statement: 'You own this wallet.',
      chainId: 'mainnet',
      nonce,
      issuedAt: new Date(this.world.clock.now).toISOString(),
      resources: ['https://privy.io'],
    }
    const message = edit(siwsMessage(change(fields)))
    const right = (bend.signer ?? account).sign(message)
    return {
      message,
      signature: bend.signature ? await bend.signature(right) : right,
      walletClientType: 'phantom',
      connectorType: 'solana_adapter',
    }
  }

  /** Sends a login, and stays logged in where it succeeds. */
  async enter(kind: 'siwe' | 'siws', presented: object): Promise<Answer> {
    const answer = await this.post(`${kind}/authenticate`, presented)
    if (answer.status === 200) this.token = answer.body.token
    return answer
  }
}

export const verdict = ({ status, body }: Answer) => ({ status, code: body?.code as string | undefined })
export const refused = { status: 401, code: 'invalid_credentials' }
export const types = ({ body }: Answer) =>
  (body.linked_accounts ?? body.user.linked_accounts).map(({ type }: { type: string }) => type)
