/**
 * Wallets for a page, as extensions would put them there; made one file by esbuild. What there is to be stands in
 * `window.__wallets`, where it was set beforehand, or else at the script's own tag:
 * `<script src="/wallets.js" data-wallets='{"ethereum":[{}]}'>`. Tests find them again at `window.demoWallets`.
 */
import { anvilKeys, demoSeeds } from './accounts.ts'
import {
  type Announcement,
  createEthereumWallet,
  type EthereumWallet,
  type EthereumWalletSettings,
} from './ethereum.ts'
import { askPerson } from './prompt.ts'
import type { Approve, Memory } from './script.ts'
import { createSolanaWallet, type SolanaWallet, type SolanaWalletSettings } from './solana.ts'

type ByPage = 'approve' | 'memory'
/** As JSON; everything may be left out. */
export interface WalletsOfPage {
  ethereum?: readonly (Partial<Omit<EthereumWalletSettings, ByPage>> & { announce?: Announcement })[]
  solana?: readonly (Partial<Omit<SolanaWalletSettings, ByPage>> & {
    announce?: { times?: number; after?: number }
  })[]
  /** Nodes for wallets that name none of their own. */
  chains?: Readonly<Record<number, string>>
  solanaRpcUrl?: string
  /** Whether a person is asked in the page; without it everything is approved. */
  ask?: boolean
}
/** By name; a name that two wallets share is the Ethereum one's, and the other's has ` (Solana)` behind it. */
export type DemoWallets = Record<string, EthereumWallet | SolanaWallet>

declare global {
  interface Window {
    __wallets?: WalletsOfPage
    demoWallets?: DemoWallets
  }
}

/** Keeps it where an extension's memory would be out of the page's reach; some frames have no storage at all. */
function memoryOf(name: string): Memory {
  const key = `demo-wallet:${name}`
  return {
    read() {
      try {
        return localStorage.getItem(key)
      } catch {
        return null
      }
    },
    write(text) {
      try {
        localStorage.setItem(key, text)
      } catch {}
    },
  }
}

function putInto(page: Window, settings: WalletsOfPage): DemoWallets {
  const wallets: DemoWallets = {}
  const approve: Approve | undefined = settings.ask ? askPerson : undefined
  const { ethereum = [], solana = [], chains = { 1: 'http://localhost:8545' }, solanaRpcUrl } = settings

  for (const [at, { announce, ...given }] of ethereum.entries()) {
    const name = given.name ?? 'Demo Ethereum Wallet'
    const wallet = createEthereumWallet({
      privateKey: anvilKeys[at % anvilKeys.length] ?? anvilKeys[0],
      rdns: 'org.example.demo-wallet',
      chains,
      ...given,
      name,
      approve,
      memory: memoryOf(`ethereum:${name}`),
    })
    wallets[name] = wallet
    wallet.announce(page, announce)
  }
  for (const [at, { announce, ...given }] of solana.entries()) {
    const name = given.name ?? 'Demo Solana Wallet'
    const wallet = createSolanaWallet({
      secretKey: demoSeeds[at % demoSeeds.length] ?? demoSeeds[0],
      ...(solanaRpcUrl && { rpcUrls: { 'solana:mainnet': solanaRpcUrl } }),
      ...given,
      name,
      approve,
      memory: memoryOf(`solana:${name}`),
    })
    wallets[name in wallets ? `${name} (Solana)` : name] = wallet
    wallet.announce(page, announce)
  }
  return wallets
}

// A page that a test has given wallets keeps to those.
if (!window.demoWallets) {
  const tag = document.currentScript?.dataset.wallets
  const settings = window.__wallets ?? (tag ? (JSON.parse(tag) as WalletsOfPage) : undefined)
  if (settings) window.demoWallets = putInto(window, settings)
}
