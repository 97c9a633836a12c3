import { defineScreen } from '../../../../src/dialog/screen.ts'
import { Heading } from '../../../../src/ui/layout/heading.tsx'

/** Small screens with the parts of real ones: a heading, a field, buttons. */
export const first = defineScreen<{ note?: string }, { email: string } | 'crash'>('first', {
  view: ({ note, busy, answer }) => (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer({ email: String(new FormData(event.currentTarget).get('email')) })
      }}
    >
      <Heading>First screen</Heading>
      <p id="note">{note}</p>
      <input name="email" data-first aria-label="Address" />
      <button id="next" type="submit" disabled={busy !== undefined}>
        Next
      </button>
    </form>
  ),
})

export const second = defineScreen<object, 'back' | 'done'>('second', {
  view: ({ answer }) => (
    <div>
      <Heading>Second screen</Heading>
      <button id="done" type="button" onClick={() => answer('done')}>
        Done
      </button>
    </div>
  ),
  size: 'compact',
  back: true,
})

export const locked = defineScreen<object, 'accept'>('locked', {
  view: ({ answer }) => (
    <div>
      <Heading>Locked screen</Heading>
      <button id="accept" type="button" onClick={() => answer('accept')}>
        Accept
      </button>
    </div>
  ),
  closable: false,
})

export const broken = defineScreen<object, never>('broken', {
  view: () => {
    throw new Error('drawn badly')
  },
})
