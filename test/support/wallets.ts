import { afterEach } from 'vitest'
import { anvilKeys, demoSeeds } from '../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../demo/world/wallet/ethereum.ts'
import { createSolanaWallet } from '../../demo/world/wallet/solana.ts'
import '../../src/login/wallet/siwe.ts'
import '../../src/login/wallet/siwe-message.ts'
import '../../src/login/wallet/siws.ts'
import '../../src/ethereum/chains.ts'
import '../../src/login/wallet/connect-or-create.ts'
import '../../src/login/wallet/landing-rows.ts'
import '../../src/wallets/connect/connect-one.ts'
import '../../src/login/wallet/flow.ts'
import '../../src/login/wallet/wallet-browser.ts'
import '../../src/login/wallet/wallet-login.ts'
import '../../src/wallets/external/ethereum/connector.ts'
import '../../src/wallets/external/restore.ts'
import '../../src/wallets/external/solana/connector.ts'
import '../../src/kit/resume/wallet-browser.ts'
import '../../src/kit/host/connect.ts'
import '../../src/kit/wallets/external.ts'
import '../../src/wallets/external/external.ts'
import 'viem/siwe'

/**
 * The window in which wallets announce themselves. The libraries that find them look for the global one, as they do in
 * a page, and one of them holds on to the first that it has seen.
 */
export const walletWindow = new EventTarget() as Window
Reflect.set(globalThis, 'window', walletWindow)

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Puts a wallet into the window, for as long as the test lasts. */
export function announce(wallet: { announce(target: EventTarget): () => void }): void {
  stops.push(wallet.announce(walletWindow))
}

/** A wallet of an extension, which knows Ethereum and Base. */
export const ethereumWallet = (name = 'MetaMask', rdns = 'io.metamask', key: number = 0) =>
  createEthereumWallet({
    privateKey: anvilKeys[key] ?? anvilKeys[0],
    chains: { 1: 'http://127.0.0.1:1', 8453: 'http://127.0.0.1:1' },
    name,
    rdns,
  })

export const solanaWallet = (name = 'Phantom') => createSolanaWallet({ secretKey: demoSeeds[0], name })
