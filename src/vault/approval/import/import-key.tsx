import { type FormEvent, useEffect, useState } from 'react'
import { color } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { trimInvisible } from '../../../lib/typed-text.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { IconButton } from '../../../ui/actions/icon-button.tsx'
import { Pair } from '../../../ui/actions/pair.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { eye, eyeOff, keyRound } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounce } from '../../../ui/panel/panel-context.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export interface ImportKeyProps {
  chainType: 'ethereum' | 'solana'
  /** The app's name; may be empty. */
  appName: string
  /** The outcome of the previous key. */
  error: 'invalid' | 'failed' | undefined
}
export type ImportKeyAnswer = { privateKey: string } | 'cancel'

/** Where a person enters a private key, in the vault's own window. */
export const importKey = defineScreen<ImportKeyProps, ImportKeyAnswer>('import-key', {
  view: ImportKey,
  size: 'compact',
})

function ImportKey({ chainType, appName, error, busy, answer }: ImportKeyProps & Answering<ImportKeyAnswer>) {
  const t = useWords()
  const announce = useAnnounce()
  const [key, setKey] = useState('')
  const [readable, setReadable] = useState(false)
  const [problem, setProblem] = useState(error)
  useEffect(() => {
    // The same words after another attempt are a new refusal.
    void answer
    setProblem(error)
    if (error) announce(t(`import.${error}`), 'alert')
  }, [error, answer, announce, t])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const privateKey = trimInvisible(key)
    if (privateKey) answer({ privateKey })
  }
  const working = typeof busy === 'object'
  return (
    <form css={{ display: 'contents' }} noValidate onSubmit={submit}>
      <Body>
        <Hero art={<Circle icon={keyRound} />} title={t('import.title')}>
          {appName ? t('import.text', { app: appName }) : t('import.textAlone')}
        </Hero>
        <Field
          first
          labelShown
          label={t(`import.label.${chainType}`)}
          // Neither a spelling service nor a password manager may get it.
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          dir="ltr"
          type={readable ? 'text' : 'password'}
          value={key}
          readOnly={busy !== undefined}
          error={!working && problem === 'invalid' ? t('import.invalid') : undefined}
          below={<span css={{ color: color('text-muted') }}>{t(`import.hint.${chainType}`)}</span>}
          onChange={(event) => {
            setKey(event.currentTarget.value)
            setProblem(undefined)
          }}
          trailing={
            <IconButton
              icon={readable ? eyeOff : eye}
              name={t(readable ? 'import.hide' : 'import.show')}
              disabled={busy !== undefined}
              onClick={() => setReadable(!readable)}
            />
          }
        />
      </Body>
      <Footer>
        {!working && problem === 'failed' && <Banner tone="danger">{t('import.failed')}</Banner>}
        <Pair>
          <Button
            kind="secondary"
            busy={busy === 'cancel'}
            disabled={working}
            onClick={() => answer('cancel')}
          >
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            busy={working}
            busyLabel={t('import.busy')}
            disabled={busy !== undefined || !trimInvisible(key)}
          >
            {t('import.button')}
          </Button>
        </Pair>
      </Footer>
    </form>
  )
}
