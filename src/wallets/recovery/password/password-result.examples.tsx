import type { Examples } from '../../../dialog/screen.ts'
import type { PasswordResultProps, passwordResult } from './password-result.tsx'

const failed: PasswordResultProps = { ok: false, detail: 'Unable to set recovery on wallet', closes: false }

export const examples = {
  success: { props: { ok: true, closes: false } },
  'success, goes on by itself': { props: { ok: true, closes: true } },
  failed: { props: failed },
  'failed, in the automatic flow': { props: { ...failed, closes: true } },
  'without a reason': { props: { ok: false, closes: false } },
  closing: { props: { ok: true, closes: false }, busy: 'close' },
} satisfies Examples<typeof passwordResult>
