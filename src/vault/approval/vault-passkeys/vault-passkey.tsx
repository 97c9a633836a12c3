import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import type { PlainObject } from '../../../lib/plain.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { fingerprint } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { askBrowser, type PasskeyOutcome, type PasskeyRefusal } from './ceremony.ts'

export interface VaultPasskeyProps {
  purpose: 'use' | 'create'
  /** The options for the browser, as the server has made them. */
  options: PlainObject
  /** The outcome of the attempt before; `wrong` if the server refused the passkey. */
  error?: PasskeyRefusal | 'wrong' | undefined
}
/** `ask` is a press; the window in which it happens answers with what the browser said. */
export type VaultPasskeyAnswer = 'ask' | 'back' | PasskeyOutcome

/** Asks for one of the vault's passkeys, or makes one. */
export const vaultPasskey = defineScreen<VaultPasskeyProps, VaultPasskeyAnswer>('vault-passkey', {
  view: VaultPasskeyView,
  size: 'compact',
  back: true,
  perform: (answer, { purpose, options }, signal) =>
    answer === 'ask' ? askBrowser(purpose, options, signal) : undefined,
})

function VaultPasskeyView({
  purpose,
  error,
  busy,
  answer,
}: VaultPasskeyProps & Answering<VaultPasskeyAnswer>) {
  const t = useWords()
  const problem = error && busy === undefined ? t(`device.passkey.${error}`) : undefined
  useAnnounced(problem, 'alert')
  return (
    <>
      <Body>
        <Hero art={<Circle icon={fingerprint} />} title={t(`device.passkey.${purpose}.title`)}>
          {t(`device.passkey.${purpose}.text`)}
        </Hero>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Button
          busy={busy !== undefined && busy !== 'back'}
          busyLabel={t('device.passkey.busy')}
          disabled={busy === 'back'}
          onClick={() => answer('ask')}
        >
          {t(`device.passkey.${purpose}.button`)}
        </Button>
      </Footer>
    </>
  )
}
