import { LinkButton } from '../../actions/link-button.tsx'
import { useElapsed } from '../../feedback/use-elapsed.ts'
import { FooterLine } from '../../layout/footer-line.tsx'
import { useWords } from '../../text/words.tsx'

interface ResendLineProps {
  /** Milliseconds until another code may be asked for, counted anew for each `asked`. */
  resendIn: number
  asked: unknown
  disabled: boolean
  busy: boolean
  onResend(): void
}

/** 'Didn't get it? Resend': asks for another code, once the last one has had its time. */
export function ResendLine({ resendIn, asked, disabled, busy, onResend }: ResendLineProps) {
  const t = useWords()
  const mayResend = useElapsed(resendIn, asked)
  return (
    <FooterLine>
      {t('login.code.noCode')}
      <LinkButton disabled={!mayResend || disabled} busy={busy} onClick={onResend}>
        {mayResend ? t('login.code.resend') : t('login.code.sent')}
      </LinkButton>
    </FooterLine>
  )
}
