import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { TransactionHash } from '../../signing/transaction/transaction-hash.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { AppTile, WalletTile } from '../../ui/actions/tile.tsx'
import { StatusLine } from '../../ui/feedback/status-line.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { useElapsed } from '../../ui/feedback/use-elapsed.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Joined } from '../../ui/layout/joined.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { uiLimits } from '../../ui/limits.ts'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

/**
 * `approving`, `signing`: the wallet asks the user. `confirming`: the network of the wallet has the transaction. `bridging`: the bridge has
 * the money.
 */
export type TransferState =
  | 'preparing'
  | 'switching'
  | 'approving'
  | 'signing'
  | 'confirming'
  | 'bridging'
  | 'done'

export interface AwaitingTransferProps {
  wallet: ShownWallet
  app: { name: string; logoUrl?: string | undefined }
  state: TransferState
  /** The amount that leaves the wallet, and the one that arrives: `0.02 ETH`. */
  pays: string
  receives: string
  /** The network that pays, and the one of the wallet that is paid. */
  from: string
  to: string
  symbol: string
  hash?: string | undefined
  explorerUrl?: string | undefined
  /** It is an allowance that is confirmed. */
  isAllowance?: boolean | undefined
  /** It takes longer than usual. */
  isLate?: boolean | undefined
}
export type AwaitingTransferAnswer = 'back' | 'close'

const isUnderWay = ({ state, isAllowance }: AwaitingTransferProps) =>
  state === 'bridging' || (state === 'confirming' && !isAllowance)

const screenFor = (route: string) =>
  defineScreen<AwaitingTransferProps, AwaitingTransferAnswer>(`awaiting-${route}`, {
    view: AwaitingTransfer,
    size: 'compact',
    back: (props) => props.state !== 'done' && !isUnderWay(props),
  })
/** A transfer of an Ethereum wallet on the network itself. */
export const awaitingEthereum = screenFor('ethereum-transfer')
/** A transfer of a Solana wallet on the network itself. */
export const awaitingSolana = screenFor('solana-transfer')
/** A bridge between two of Ethereum's networks. */
export const awaitingEthereumBridge = screenFor('ethereum-bridge')
/** An exchange of assets on Solana itself. */
export const awaitingSolanaBridge = screenFor('solana-bridge')
export const awaitingEthereumToSolana = screenFor('ethereum-to-solana')
export const awaitingSolanaToEthereum = screenFor('solana-to-ethereum')

function AwaitingTransfer(props: AwaitingTransferProps & Answering<AwaitingTransferAnswer>) {
  const t = useWords()
  const { state, receives, to } = props
  if (state !== 'done') return <Underway {...props} />
  return (
    <Success title={t('funding.transfer.done')}>
      {t('funding.transfer.done.detail', { amount: receives, network: to })}
    </Success>
  )
}

function Underway(props: AwaitingTransferProps & Answering<AwaitingTransferAnswer>) {
  const { wallet, app, state, pays, receives, from, to, symbol, hash, explorerUrl, isLate, busy, answer } =
    props
  const t = useWords()
  const asksWallet = state === 'switching' || state === 'approving' || state === 'signing'
  const isLong = useElapsed(uiLimits.waitExplained, state) && asksWallet
  const words = wordsOf(props)
  const title = t(words.title, { wallet: wallet.name, network: state === 'bridging' ? to : from, symbol })
  const detail = t(words.detail, {
    wallet: wallet.name,
    network: state === 'bridging' ? to : from,
    symbol,
    amount: state === 'bridging' || state === 'confirming' ? receives : pays,
  })
  const status = isLate
    ? t('funding.transfer.late')
    : isLong
      ? t('funding.transfer.slow', { wallet: wallet.name })
      : state === 'bridging'
        ? t('funding.transfer.wait.bridge')
        : state === 'confirming'
          ? t('funding.transfer.wait')
          : undefined
  useAnnounced(isLate || isLong ? status : `${title}. ${detail}`)
  return (
    <>
      <Body>
        <Hero art={<Joined from={<WalletTile {...wallet} />} to={<AppTile {...app} />} />} title={title}>
          {detail}
        </Hero>
        {hash !== undefined && <TransactionHash hash={hash} explorerUrl={explorerUrl} />}
        <StatusLine busy={!asksWallet}>{status}</StatusLine>
      </Body>
      {isUnderWay(props) && (
        <Footer>
          <Button kind="secondary" busy={busy === 'close'} onClick={() => answer('close')}>
            {t('common.close')}
          </Button>
        </Footer>
      )}
    </>
  )
}

function wordsOf({ state, from, to, isAllowance }: AwaitingTransferProps) {
  if (state === 'bridging' && from === to)
    return {
      title: 'funding.transfer.exchanging.title',
      detail: 'funding.transfer.bridging',
    } as const
  if (state === 'confirming' && isAllowance)
    return {
      title: 'funding.transfer.confirming.title',
      detail: 'funding.transfer.confirming.approve',
    } as const
  const named = state === 'done' ? 'preparing' : state
  return { title: `funding.transfer.${named}.title`, detail: `funding.transfer.${named}` } as const
}
