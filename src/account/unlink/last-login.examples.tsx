import type { Examples } from '../../dialog/screen.ts'
import type { LastLoginProps, lastLogin } from './last-login.tsx'

const email: LastLoginProps = { app: 'Harbor', account: 'ada@example.com' }

export const examples = {
  ask: { props: email },
  removing: { props: email, busy: 'remove' },
  'longest account': {
    props: { ...email, account: 'maximiliane.von-der-hohenstein@department.organisation.example' },
  },
} satisfies Examples<typeof lastLogin>
