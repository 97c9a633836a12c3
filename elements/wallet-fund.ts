import type { ErrorCode } from '../src/errors/codes.ts'
import type { FundedWallet, FundWalletOptions, Kit } from '../src/kit/api.ts'
import { text } from './base/host.ts'
import { KitElement } from './element.ts'

/**
 * Lets the user who is logged in add funds to one of their wallets, in one of the ways that the app offers. {@link KitElement} describes
 * the attributes and events that all elements share. Setting `open` begins with what the attributes say.
 *
 * @tag wallet-fund
 * @summary Add funds to a wallet.
 *
 * @attr {string} amount - The amount that is proposed, in whole units with a point: `0.05`
 * @attr {string} asset - `native-currency` (the network's own coin), `USDC`, or the contract or mint of a token that the app names in its `funding.tokens`
 * @attr {string} chain - The network, in CAIP-2: `eip155:8453`, `solana:mainnet`
 * @attr {string} return-url - The address that a provider's page leads to afterwards: on an origin of the app, or one of its `redirectUrls`
 *
 * @fires {CustomEvent<{ method: string, status: string, address: string, chain: string, asset: string, symbol: string, amount?: string, transactionHash?: string, purchase?: { id: string, provider: string, isSandbox: boolean } }>} lk-fund-status -
 * The wallet has more than before, or will have
 * @example
 * const funder = document.createElement('wallet-fund')
 * document.body.append(funder)
 * const { status, amount, symbol } = await funder.fund({ chain: 'eip155:8453', amount: '0.02' })
 */
export class WalletFund extends KitElement {
  static readonly tag: string = 'wallet-fund'
  static override readonly rules = {
    ...KitElement.rules,
    amount: text,
    asset: text,
    chain: text,
    'return-url': text,
  } as const

  /** The amount that is proposed, in whole units with a point; the app's own where it isn't set. */
  get amount(): string | undefined {
    return this.readText('amount')
  }
  set amount(value: string | undefined) {
    this.write('amount', value)
  }
  /** The network's own coin, USDC on it, or the contract or mint of a token; the app's own where it isn't set. */
  get asset(): 'native-currency' | 'USDC' | (string & {}) | undefined {
    return this.readText('asset')
  }
  set asset(value: 'native-currency' | 'USDC' | (string & {}) | undefined) {
    this.write('asset', value)
  }
  /** The network, in CAIP-2; the app's own where it isn't set. */
  get chain(): string | undefined {
    return this.readText('chain')
  }
  set chain(value: string | undefined) {
    this.write('chain', value)
  }
  /** The address that a provider's page leads to afterwards; the page itself, without query and fragment, where it isn't set. */
  get returnUrl(): string | undefined {
    return this.readText('return-url')
  }
  set returnUrl(value: string | undefined) {
    this.write('return-url', value)
  }

  /**
   * Opens the dialog. Resolves once the wallet has more, or the user has left a payment that is under way (`status` is `submitted`).
   *
   * @param options what is funded, in place of what the attributes say, and a signal that closes the dialog
   * @returns the method, the amount that has come or will, and the purchase where something was bought
   * @throws KitError `exited_funding_flow` when the user closes the dialog, otherwise as {@link Kit.fundWallet}
   * @example
   * const funder = document.createElement('wallet-fund')
   * document.body.append(funder)
   * funder.chain = 'eip155:8453'
   * const { amount } = await funder.fund()
   */
  fund(options: Omit<FundWalletOptions, 'surface'> = {}): Promise<FundedWallet> {
    const { amount, asset, chain, returnUrl } = this
    const named = {
      ...(amount && { amount }),
      ...(asset && { asset }),
      ...(chain && { chain }),
      ...(returnUrl && { returnUrl }),
    }
    return this.ask((kit, place) => kit.fundWallet({ ...named, ...options, ...place }), options.signal, false)
  }

  protected override get exitCode(): ErrorCode {
    return 'exited_funding_flow'
  }

  protected override start(): Promise<unknown> {
    return this.fund()
  }

  protected override listen(kit: Kit): (() => void)[] {
    return [kit.on('funded', (detail) => this.emit('lk-fund-status', detail))]
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wallet-fund': WalletFund
  }
}
