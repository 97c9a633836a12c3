import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Empty } from '../../ui/feedback/empty.tsx'
import { check } from '../../ui/icons/notices.ts'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { Card } from '../../ui/layout/section.tsx'
import { useWords } from '../../ui/text/words.tsx'
import type { Shown } from '../shown.ts'
import { ShownRow } from '../shown-row.tsx'

export interface AddAccountProps {
  app: string
  /** The kinds that may be added; the key is the method's name. */
  methods: readonly Shown[]
  /** Where the account is confirmed that is added, if not here. */
  note?: string | undefined
}
export type AddAccountAnswer = { readonly method: string } | 'back'

/** Where a person chooses what to add to their account. */
export const addAccount = defineScreen<AddAccountProps, AddAccountAnswer>('add-account', {
  view: AddAccount,
  // Seven rows fit without scrolling.
  size: ({ methods }) => (methods.length > 7 ? 'full' : 'compact'),
  back: true,
})

function AddAccount({ app, methods, note, busy, answer }: AddAccountProps & Answering<AddAccountAnswer>) {
  const t = useWords()
  return (
    <>
      <Body title={t('settings.accounts.add')}>
        {methods.length === 0 ? (
          <Empty icon={check} text={t('settings.accounts.all', { app })} />
        ) : (
          <Card>
            {methods.map((shown) => {
              const mine = typeof busy === 'object' && busy.method === shown.key
              return (
                <ShownRow
                  key={shown.key}
                  shown={shown}
                  busy={mine}
                  inert={busy !== undefined && !mine}
                  onClick={() => answer({ method: shown.key })}
                />
              )
            })}
          </Card>
        )}
      </Body>
      {note && methods.length > 0 && (
        <Footer>
          <Note>{note}</Note>
        </Footer>
      )}
    </>
  )
}
