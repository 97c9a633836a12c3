import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { answerRequest, type EthereumState, opened } from './ethereum-requests.ts'
import { demoIcon } from './icon.ts'
import {
  type Approve,
  createListeners,
  createScript,
  type Memory,
  providerError,
  type Script,
} from './script.ts'

export interface EthereumWalletSettings {
  /** The key of its account, or of all that it opens; the active one first. */
  privateKey: Hex | readonly Hex[]
  /** Nodes by chain id: what the wallet knows. */
  chains: Readonly<Record<number, string>>
  /** The chain that it is on; the first without it. */
  chainId?: number | undefined
  name: string
  /** EIP-6963's reverse-domain name. */
  rdns: string
  icon?: string | undefined
  /** Marks that older wallets set, such as `isMetaMask`. */
  flags?: Readonly<Record<string, unknown>> | undefined
  /** Asked before anything is opened or signed; without it the answer is always yes. */
  approve?: Approve | undefined
  memory?: Memory | undefined
  /** The provider can't be changed, which some wallets do and some libraries don't expect. */
  frozen?: boolean | undefined
  /** What the provider lacks, against EIP-1193. */
  without?: readonly ('on' | 'removeListener')[] | undefined
}

/** EIP-1193. */
export interface Provider {
  request(input: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: (...input: never[]) => void): unknown
  removeListener(event: string, listener: (...input: never[]) => void): unknown
  isConnected(): boolean
}
export interface Announcement {
  /** How often it is made. */
  times?: number
  /** Milliseconds before the first one; until then the wallet does not answer to pages that ask either. */
  after?: number
  /** Whether it is also, or only, at `window.ethereum`, where wallets were before EIP-6963. */
  legacy?: boolean | 'only'
}
export interface EthereumControl extends Script {
  /** The person picks another account; the former ones stay known. */
  pickAccount(privateKey: Hex): void
  /** The person picks another chain. */
  pickChain(chainId: number): void
  /** The person ends the connection in the wallet. */
  revoke(): void
  /** The extension goes: it answers 4900 and announces itself no more. */
  disappear(): void
  /** Sends any event with anything. */
  emit(event: string, ...input: unknown[]): void
  /** How many listeners there are. */
  listeners(): number
}
export interface EthereumWallet {
  /** The active account. */
  readonly address: Address
  readonly info: {
    readonly uuid: string
    readonly name: string
    readonly icon: string
    readonly rdns: string
  }
  readonly provider: Provider
  /** Makes the wallet known to a page, by EIP-6963. Returns what stops that. */
  announce(target?: EventTarget, how?: Announcement): () => void
  readonly control: EthereumControl
}

/** A wallet for Ethereum that an extension would put into a page: a viem account behind EIP-1193 and EIP-6963. */
export function createEthereumWallet(settings: EthereumWalletSettings): EthereumWallet {
  const { name, rdns, icon = demoIcon, approve, memory } = settings
  const keys = typeof settings.privateKey === 'string' ? [settings.privateKey] : settings.privateKey
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon, rdns })
  const { script, play } = createScript()
  const { on, off, emit, count } = createListeners()
  const kept = JSON.parse(memory?.read() ?? '{}') as { permitted?: boolean; chainId?: number }
  const stops: (() => void)[] = []
  let gone = false

  const state: EthereumState = {
    name,
    approve,
    accounts: keys.map((key) => privateKeyToAccount(key)),
    chains: { ...settings.chains },
    chainId: settings.chainId ?? Number(Object.keys(settings.chains)[0] ?? 1),
    permitted: kept.permitted ?? false,
    permit(permitted) {
      state.permitted = permitted
      keep()
      if (permitted) emit('connect', { chainId: numberToHex(state.chainId) })
      emit('accountsChanged', opened(state))
    },
    moveTo(chainId) {
      if (chainId === state.chainId) return
      state.chainId = chainId
      keep()
      emit('chainChanged', numberToHex(chainId))
    },
    emit,
  }
  if (kept.chainId !== undefined && state.chains[kept.chainId]) state.chainId = kept.chainId
  const keep = () => memory?.write(JSON.stringify({ permitted: state.permitted, chainId: state.chainId }))

  const provider: Provider & Record<string, unknown> = {
    ...settings.flags,
    request: ({ method, params = [] }) =>
      play({ method, params }, (fault) => {
        if (gone) throw providerError(4900, 'The provider is disconnected from all chains.')
        return answerRequest(state, method, params, fault)
      }),
    on(event, listener) {
      on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      off(event, listener)
      return provider
    },
    isConnected: () => !gone,
  }
  for (const lacking of settings.without ?? []) Reflect.deleteProperty(provider, lacking)
  if (settings.frozen) Object.freeze(provider)

  function announce(target: EventTarget = window, { times = 1, after = 0, legacy }: Announcement = {}) {
    const page = target as EventTarget & { ethereum?: unknown }
    const tell = () =>
      page.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
      )
    const begin = () => {
      if (legacy) page.ethereum = provider
      if (legacy === 'only') return
      page.addEventListener('eip6963:requestProvider', tell)
      for (let made = 0; made < times; made++) tell()
    }
    const timer = after > 0 ? setTimeout(begin, after) : begin()
    const stop = () => {
      clearTimeout(timer as number | undefined)
      page.removeEventListener('eip6963:requestProvider', tell)
      if (page.ethereum === provider) delete page.ethereum
    }
    stops.push(stop)
    return stop
  }

  const control: EthereumControl = {
    ...script,
    pickAccount(privateKey) {
      const account = privateKeyToAccount(privateKey)
      state.accounts = [account, ...state.accounts.filter(({ address }) => address !== account.address)]
      if (state.permitted) emit('accountsChanged', opened(state))
    },
    pickChain: (chainId) => state.moveTo(chainId),
    revoke: () => state.permit(false),
    disappear() {
      gone = true
      for (const stop of stops) stop()
      emit('disconnect', providerError(4900, 'The provider is disconnected from all chains.'))
    },
    emit,
    listeners: count,
  }

  return {
    get address() {
      return getAddress(state.accounts[0]?.address ?? '0x')
    },
    info,
    provider,
    announce,
    control,
  }
}
