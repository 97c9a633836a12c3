import { useState } from 'react'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { pencil } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { accountLimits } from '../limits.ts'

export interface RenamePasskeyProps {
  value: string
  error?: string | undefined
}
export type RenamePasskeyAnswer = { readonly name: string } | 'back'

/** Where a person gives a passkey a name of their own. */
export const renamePasskey = defineScreen<RenamePasskeyProps, RenamePasskeyAnswer>('rename-passkey', {
  view: RenamePasskey,
  size: 'compact',
  back: true,
})

function RenamePasskey({ value, error, busy, answer }: RenamePasskeyProps & Answering<RenamePasskeyAnswer>) {
  const t = useWords()
  const [typed, setTyped] = useState(value)
  const off = busy !== undefined
  useAnnounced(off ? undefined : error, 'alert')
  const form = 'rename-passkey'
  return (
    <>
      <Body>
        <Hero art={<Circle icon={pencil} />} title={t('settings.passkeys.nameTitle')}>
          {t('settings.passkeys.nameText')}
        </Hero>
        <Content>
          <form
            id={form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (!off) answer({ name: typed })
            }}
          >
            <Field
              first
              label={t('settings.passkeys.nameLabel')}
              labelShown
              name="passkey-name"
              type="text"
              autoComplete="off"
              maxLength={accountLimits.passkeyName}
              value={typed}
              readOnly={off}
              error={off ? undefined : error}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </form>
        </Content>
      </Body>
      <Footer>
        <Button
          busy={busy !== undefined && busy !== 'back'}
          disabled={off}
          onClick={() => answer({ name: typed })}
        >
          {t('settings.passkeys.save')}
        </Button>
      </Footer>
    </>
  )
}
