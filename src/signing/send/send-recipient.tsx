import { type ReactNode, useState } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { formatRounded } from '../../ethereum/amounts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { FixedRow } from '../../ui/actions/fixed-row.tsx'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { CheckBox } from '../../ui/fields/check-box.tsx'
import { WrappingField } from '../../ui/fields/wrapping-field.tsx'
import { wallet as walletIcon } from '../../ui/icons/landing.ts'
import { history } from '../../ui/icons/sending.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Card, Section } from '../../ui/layout/section.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { unbroken } from '../../ui/text/breakable.tsx'
import { Dotted } from '../../ui/text/dotted.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Address } from '../../ui/wallet/address.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { AssetMark } from '../../ui/wallet/asset-mark.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import type { RecipientCaution } from './asset.ts'
import { sendLimits } from './limits.ts'

export interface SendRecipientProps {
  asset: {
    /** CAIP-2 */
    readonly chain: string
    /** The contract or mint; `undefined` for the network's own coin. */
    readonly token?: string | undefined
    readonly symbol: string
    readonly decimals: number
    readonly network: string
    readonly balance?: bigint | undefined
    readonly chainType: 'ethereum' | 'solana'
    /** The address of the wallet that sends. */
    readonly wallet: string
    /** The name of an external wallet. */
    readonly walletName?: string | undefined
  }
  /** There is something else that can be sent. */
  hasChoice: boolean
  /** The previous text. */
  to: string
  allowsNames: boolean
  own: readonly string[]
  recent: readonly string[]
  error?: string | undefined
  /** A reason to look twice at what was typed. */
  caution?:
    | {
        readonly kind: RecipientCaution
        readonly address: string
        /** The name that stands for the address. */
        readonly name?: string | undefined
        /** The address that it could be taken for. */
        readonly looksLike?: string | undefined
      }
    | undefined
}
export type SendRecipientAnswer =
  | { readonly to: string; readonly isAccepted: boolean }
  /** The user wants to send something else; what was typed stays. */
  | { readonly change: string }

/** The first step of sending: what goes to whom. */
export const sendRecipient = defineScreen<SendRecipientProps, SendRecipientAnswer>('send-recipient', {
  view: SendRecipient,
})

function SendRecipient(props: SendRecipientProps & Answering<SendRecipientAnswer>) {
  const { asset, hasChoice, allowsNames, own, recent, error, busy, answer } = props
  const t = useWords()
  const [typed, setTyped] = useState(props.to)
  const [accepted, setAccepted] = useState<string>()
  const isBusy = busy !== undefined
  const isChecking = isBusy && 'to' in busy
  const isAsTyped = typed === props.to
  const caution = isAsTyped ? props.caution : undefined
  const isAccepted = caution !== undefined && accepted === caution.address
  const label =
    asset.chainType === 'solana'
      ? t('send.to.solana')
      : t(allowsNames ? 'send.to.ethereumNames' : 'send.to.ethereum')
  useAnnounced(isChecking ? t('send.resolving') : undefined)
  const submit = () => {
    if (!isBusy && !(caution && !isAccepted)) answer({ to: typed, isAccepted })
  }
  const suggestions = (title: string, icon: string, addresses: readonly string[]): ReactNode =>
    addresses.length > 0 && (
      <Section title={title}>
        <Card>
          {addresses.map((address) => (
            <Row
              key={address}
              icon={<Icon path={icon} size={24} stroke={1.75} />}
              label={shortAddress(address)}
              inert={isBusy}
              onClick={() => setTyped(address)}
            />
          ))}
        </Card>
      </Section>
    )
  return (
    <>
      <Body title={t('send.title')}>
        <Content gap={16}>
          <Card>
            <AssetRow
              asset={asset}
              {...(hasChoice && { onChange: () => !isBusy && answer({ change: typed }) })}
              busy={isBusy && 'change' in busy}
              inert={isBusy && !('change' in busy)}
            />
          </Card>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <WrappingField
              first
              label={label}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="go"
              maxLength={sendLimits.recipientLength}
              value={typed}
              error={isAsTyped ? error : undefined}
              readOnly={isBusy}
              onType={setTyped}
            />
          </form>
          {caution && <Caution caution={caution} network={asset.network} />}
          {caution && (
            <CheckBox
              checked={isAccepted}
              busy={isBusy}
              onChange={(on) => setAccepted(on ? caution.address : undefined)}
            >
              {t('send.caution.accept')}
            </CheckBox>
          )}
          {!caution && suggestions(t('send.own'), walletIcon, own)}
          {!caution && suggestions(t('send.recent'), history, recent)}
        </Content>
      </Body>
      <Footer>
        <Button
          busy={isChecking}
          disabled={(isBusy && !isChecking) || (caution !== undefined && !isAccepted)}
          onClick={submit}
        >
          {t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}

interface AssetRowProps {
  asset: SendRecipientProps['asset']
  busy: boolean
  inert: boolean
  onChange?: () => void
}

function AssetRow({ asset, busy, inert, onChange }: AssetRowProps) {
  const t = useWords()
  const { chain, token, symbol, decimals, network, balance, wallet, walletName } = asset
  const words = {
    icon: <AssetMark chain={chain} token={token} symbol={symbol} />,
    label: symbol,
    detail: (
      <Dotted
        parts={[
          balance !== undefined &&
            unbroken(
              t('send.asset.balance', { amount: formatRounded(balance, decimals, sendLimits.places) }),
            ),
          <bdi key="network">{network}</bdi>,
          <bdi key="wallet">{walletName ?? shortAddress(wallet)}</bdi>,
        ]}
      />
    ),
  }
  return onChange ? <Row {...words} busy={busy} inert={inert} onClick={onChange} /> : <FixedRow {...words} />
}

function Caution({
  caution: { kind, address, name, looksLike },
  network,
}: {
  caution: NonNullable<SendRecipientProps['caution']>
  network: string
}) {
  const t = useWords()
  const words = kind === 'name-elsewhere' ? t(`send.caution.${kind}`, { network }) : t(`send.caution.${kind}`)
  useAnnounced(words, 'alert')
  return (
    <>
      <Banner tone={kind === 'looks-like' ? 'danger' : 'warning'}>{words}</Banner>
      <Details
        rows={[
          ...(looksLike === undefined
            ? []
            : [[t('send.caution.known'), <Address key="known">{looksLike}</Address>, 'below'] as const]),
          [
            looksLike === undefined ? (name ?? t('send.to')) : t('send.caution.this'),
            <Address key="this">{address}</Address>,
            // One below the other, the two can be compared.
            looksLike === undefined ? undefined : 'below',
          ],
        ]}
      />
    </>
  )
}
