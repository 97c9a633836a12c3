import type { Examples } from '../../dialog/screen.ts'
import type { terms } from './terms.tsx'

const both = { termsUrl: 'https://harbor.example/terms', privacyUrl: 'https://harbor.example/privacy' }

export const examples = {
  both: { props: both },
  'terms alone': { props: { termsUrl: both.termsUrl } },
  accepting: { props: both, busy: 'accept' },
  declining: { props: both, busy: 'decline' },
} satisfies Examples<typeof terms>
