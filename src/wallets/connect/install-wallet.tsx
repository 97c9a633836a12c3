import type { CSSObject } from '@emotion/react'
import { color, radius, tabular, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AppLink } from '../../ui/actions/app-link.tsx'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Link } from '../../ui/actions/link.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { WalletTile } from '../../ui/actions/tile.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

export interface InstallWalletProps {
  wallet: ShownWallet
  installUrl: string
  /** `help`: how to create a wallet, step by step. */
  step: 'install' | 'help'
}

/** `installed`: the person says that it is; the page must be reloaded for the wallet to be found. */
export type InstallWalletAnswer = 'help' | 'installed' | 'back'

type Props = InstallWalletProps & Answering<InstallWalletAnswer>

/** Where to get a wallet that is not in this browser, and how to begin with it. */
export const installWallet = defineScreen<InstallWalletProps, InstallWalletAnswer>('install-wallet', {
  view: (props) => (props.step === 'help' ? <Help {...props} /> : <Install {...props} />),
  size: 'compact',
  back: true,
})

function Install({ wallet, installUrl, busy, answer }: Props) {
  const t = useWords()
  const named = { wallet: wallet.name }
  return (
    <>
      <Body>
        <Hero art={<WalletTile {...wallet} />} title={t('connect.install.title', named)}>
          {t('connect.install.text', named)}
        </Hero>
        <div css={{ display: 'grid', justifyItems: 'center', marginBlockStart: -8 }}>
          <LinkButton busy={busy === 'help'} disabled={busy !== undefined} onClick={() => answer('help')}>
            {t('connect.install.help')}
          </LinkButton>
        </div>
      </Body>
      <Footer>
        <AppLink href={installUrl}>{t('connect.install.get', named)}</AppLink>
        <Reload busy={busy} answer={answer} kind="secondary" />
      </Footer>
    </>
  )
}

function Help({ wallet, installUrl, busy, answer }: Props) {
  const t = useWords()
  const named = { wallet: wallet.name }
  const steps = [
    [
      <Link key="get" href={installUrl}>
        {t('connect.help.step1')}
      </Link>,
      t('connect.help.text1'),
    ],
    [t('connect.help.step2'), t('connect.help.text2')],
    [t('connect.help.step3'), t('connect.help.text3')],
    [t('connect.help.step4'), t('connect.help.text4', named)],
  ] as const
  return (
    <>
      <Body title={t('connect.help.title', named)}>
        <ol css={list}>
          {steps.map(([what, how], i) => (
            <li key={how} css={item}>
              <span css={number} aria-hidden>
                {i + 1}
              </span>
              <span css={{ minWidth: 0 }}>
                <span css={head}>{what}</span>
                <span css={below}>{how}</span>
              </span>
            </li>
          ))}
        </ol>
      </Body>
      <Footer>
        <Reload busy={busy} answer={answer} kind="primary" />
      </Footer>
    </>
  )
}

function Reload({ busy, answer, kind }: Answering<InstallWalletAnswer> & { kind: 'primary' | 'secondary' }) {
  const t = useWords()
  return (
    <AnswerButton gives="installed" busy={busy} answer={answer} kind={kind}>
      {t('connect.install.reload')}
    </AnswerButton>
  )
}

const list: CSSObject = { display: 'grid', gap: 20, margin: 0, padding: '8px 0 0', listStyle: 'none' }

const item: CSSObject = { display: 'flex', gap: 12, overflowWrap: 'anywhere' }

const size = 'calc(24px*var(--lk-text-scale,1))'

const number: CSSObject = {
  ...text('caption'),
  ...tabular,
  flex: 'none',
  display: 'grid',
  placeItems: 'center',
  boxSizing: 'border-box',
  // The number grows with the text around it.
  width: size,
  height: size,
  border: '1px solid transparent',
  borderRadius: radius(24),
  background: color('fill-pressed'),
  color: color('text-muted'),
}

const head: CSSObject = { ...text('label'), display: 'block', paddingBlock: '2px' }

const below: CSSObject = { ...text('body'), display: 'block', color: color('text-muted'), textWrap: 'pretty' }
