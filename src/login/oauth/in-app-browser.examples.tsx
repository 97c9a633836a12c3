import type { Examples } from '../../dialog/screen.ts'
import type { inAppBrowser } from './in-app-browser.tsx'

export const examples = {
  rest: { props: { address: 'https://harbor.example/welcome' } },
  'going back': { props: { address: 'https://harbor.example/welcome' }, busy: 'back' },
  'longest address': {
    props: {
      address: `https://harbor.example/welcome/to/the/members/area?campaign=${'spring-2026-'.repeat(14)}#start`,
    },
  },
} satisfies Examples<typeof inAppBrowser>
