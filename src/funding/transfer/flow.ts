/** Transfer from another wallet of the user's: on the network itself, or by a bridge where the money is elsewhere. */
import { addWords } from '../../copy/copy.ts'
import { connect } from '../../copy/en/connect.ts'
import { errors } from '../../copy/en/errors.ts'
import { funding } from '../../copy/en/funding.ts'
import { login } from '../../copy/en/login.ts'
import { transaction } from '../../copy/en/transaction.ts'
import { walletErrors } from '../../copy/en/wallet-errors.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { askAmount } from '../amount/flow.ts'
import { payByBridge } from '../bridge/flow.ts'
import { isSameSource, targetSource } from '../bridge/networks.ts'
import { type FundingMethod, type FundingOutcome, type LeftMethod, leftMethod } from '../method.ts'
import { chooseAccount, sourcesOf } from './choose-wallet.ts'
import { payDirectly, prepareDirect, shortWords } from './direct.ts'
import { resumePayment } from './follow.ts'
import { pricedAsset, readHoldings } from './holdings.ts'
import { AlreadyStarted, NotPaid, shownFor, type TransferRun, TurnedBack, waitFor } from './run.ts'
import type { TransferServices } from './services.ts'

addWords(funding, connect, errors, login, walletErrors, transaction)

/** Makes the method of transferring from another wallet. */
export const transferring =
  (services: TransferServices): FundingMethod =>
  async (cx, target) => {
    let run: TransferRun = { cx, target, services }
    let error: string | undefined
    for (;;) {
      const resumed = await resumePayment(run)
      if (resumed) return resumed
      const account = await chooseAccount(run, error)
      if (account === 'back') return leftMethod()
      error = undefined
      const amount = await askAmount(cx, {
        target: run.target,
        price: () => services.prices.of(pricedAsset(targetSource(target))),
      })
      if (amount === 'back') continue
      // The next wallet is asked for the same amount.
      run = { ...run, target: { ...target, amount } }
      try {
        return await pay(run, account, amount)
      } catch (cause) {
        if (cause instanceof KitError) throw cause
        cx.stage.signal.throwIfAborted()
        if (cause instanceof NotPaid) {
          error = cause.words
          if (cause.error) cx.report(cause.error)
        } else if (!(cause instanceof TurnedBack || cause instanceof AlreadyStarted)) throw cause
      }
    }
  }

/**
 * Pays on the network itself where the wallet can, and else by the bridge.
 * @throws NotPaid, TurnedBack, AlreadyStarted
 */
async function pay(
  run: TransferRun,
  account: ConnectedAccount,
  amount: bigint,
): Promise<FundingOutcome | LeftMethod> {
  const { cx, services, target } = run
  const source = targetSource(target)
  const isSameKind = account.chainType === target.chainType
  const shown = shownFor(run, {
    wallet: account.meta,
    source: { ...source, chainType: account.chainType },
    pays: amount,
    amount,
    isBridge: !isSameKind,
  })
  const { held, hasAmount, direct } = await waitFor(run, shown, { state: 'preparing' }, async (signal) => {
    const { held: all } = await readHoldings(services, cx.clock, {
      address: account.address,
      sources: sourcesOf(run, account),
      signal,
    })
    const own = all.find((each) => isSameSource(each, target))
    const enough = own !== undefined && own.amount >= amount
    const prepared = enough && isSameKind ? await prepareDirect(run, account, amount, signal) : 'short'
    return { held: all, hasAmount: enough, direct: prepared }
  })
  if (direct !== 'short') return payDirectly(run, account, amount, direct)
  if (services.bridge && held.some((each) => each.amount > 0n && !isSameSource(each, target)))
    return payByBridge(run, { account, held, amount })
  throw new NotPaid(
    shortWords(run, account, hasAmount),
    new KitError('insufficient_funds', 'Wallet has insufficient funds for this transaction.'),
  )
}
