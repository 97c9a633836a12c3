import type { ReactNode } from 'react'
import { pieces } from '../../copy/copy.ts'
import { Link } from '../actions/link.tsx'
import { Note } from '../layout/layout.tsx'
import { useWords } from '../text/words.tsx'

export interface LegalUrls {
  termsUrl?: string | undefined
  privacyUrl?: string | undefined
}

/** What a person agrees to by logging in; nothing if the app has neither terms nor a privacy policy. */
export function Legal({ termsUrl, privacyUrl }: LegalUrls): ReactNode {
  const t = useWords()
  const kept = { terms: '{terms}', privacy: '{privacy}' }
  if (!termsUrl && !privacyUrl) return null
  const both = termsUrl && privacyUrl
  const text = both ? t('login.legal.both', kept) : t('login.legal.terms', kept)
  const privacy = t('login.legal.bothPrivacy')
  const links: Record<string, ReactNode> = {
    terms: both ? (
      <Link href={termsUrl}>{t('login.legal.bothTerms')}</Link>
    ) : termsUrl ? (
      <Link href={termsUrl}>{t('login.legal.termsOnly')}</Link>
    ) : (
      <Link href={privacyUrl}>{privacy}</Link>
    ),
    privacy: <Link href={privacyUrl}>{privacy}</Link>,
  }
  return (
    <Note>
      {pieces(text).map((piece) => (
        <span key={piece.text}>{piece.name ? (links[piece.name] ?? piece.text) : piece.text}</span>
      ))}
    </Note>
  )
}
