import type { Examples } from '../../dialog/screen.ts'
import type { authenticator } from './authenticator.tsx'

const made = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  authUrl:
    'otpauth://totp/Harbor:ada%40harbor.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Harbor&period=30&digits=6&algorithm=SHA1',
}

export const examples = {
  rest: { props: made },
  continuing: { props: made, busy: 'continue' },
  'going back': { props: made, busy: 'back' },
} satisfies Examples<typeof authenticator>
