import type { Examples } from '../../dialog/screen.ts'
import type { recoveryCodes } from './recovery-codes.tsx'

const props = {
  appName: 'Harbor',
  codes: ['7k2mp-x9f4q', 'h3v8n-2tw6c', 'p5r9d-k4m7y', 'b8x2g-6nq3h', 'w4t7f-9cz5j'].concat([
    ...['m6q3k-v2r8p', 'y9d5x-4hb7n', 'c2f8w-7tg3m', 'n7j4q-5xk9v', 'z3p6h-8wr2d'],
  ]),
}

export const examples = {
  rest: { props },
  saved: { props, busy: 'saved' },
} satisfies Examples<typeof recoveryCodes>
