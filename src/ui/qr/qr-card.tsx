import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { color, isolated, motion, radius, shadow, text } from '../../../styles/tokens.ts'
import { chunkWait } from '../../errors/lazily.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { Button } from '../actions/button.tsx'
import { CopyButton } from '../actions/copy-button.tsx'
import { Link } from '../actions/link.tsx'
import { imageUrl } from '../brand/image-url.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { uiLimits } from '../limits.ts'
import { useWords } from '../text/words.tsx'
import type { QrCode } from './code.ts'

interface QrCardProps {
  /** The code's content, and the text that is copied: the very same. Without it the place is kept. */
  value: string | undefined
  /** What the image is, for screen readers. */
  name: string
  /** The name of the copy button. */
  copyName: string
  /** 160, or 208 where the code stands alone. */
  size?: 160 | 208
  /** The app's logo, on a plate in the middle. */
  logoUrl?: string | undefined
  /** The code has expired; this gets another one. */
  onRenew?: (() => void) | undefined
  renewing?: boolean | undefined
  /** Something else is busy. */
  disabled?: boolean | undefined
}

/** White space around the code, inside the card; it holds the four modules of the quiet zone. */
const MARGIN = 16
const QUIET = 4
/** Black on white in every scheme, because a camera has to read it. */
const ink = { dark: '#000', light: '#fff' } as const

/** A QR code on a white card in every scheme, with the text to copy under it. */
export function QrCard({ copyName, ...picture }: QrCardProps): ReactNode {
  const { value, onRenew } = picture
  return (
    <div css={stack} data-qr>
      <QrPicture {...picture} />
      <TextToCopy value={value ?? ''} name={copyName} gone={!value || onRenew !== undefined} />
    </div>
  )
}

/** The code alone, for a screen that shows its text in another way. */
export function QrPicture(props: Omit<QrCardProps, 'copyName'>): ReactNode {
  const { value, name, size = uiLimits.qrSize, logoUrl, onRenew, renewing, disabled } = props
  const t = useWords()
  const { code, failed, retry } = useCode(value, (size * QUIET) / MARGIN)
  const again = onRenew ?? (failed ? retry : undefined)
  const side = size + 2 * MARGIN
  return (
    <div css={frame} style={{ width: side, height: side }}>
      {code || failed ? (
        <div part="qr" css={card}>
          {code && (
            <svg
              css={picture}
              style={again ? { opacity: 0.08 } : undefined}
              viewBox={`0 0 ${code.size} ${code.size}`}
              width={size}
              height={size}
              role="img"
              aria-label={name}
            >
              <path d={code.path} fill={ink.dark} />
            </svg>
          )}
          {code && !again && <Plate key={logoUrl} url={logoUrl} />}
        </div>
      ) : (
        <Skeleton height={side} round={16} />
      )}
      {again && (
        <div css={over}>
          <Button kind="secondary" size="medium" busy={renewing} disabled={disabled} onClick={again}>
            {t('common.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The code, once the chunk that makes it is loaded; if it fails to load, another try can be asked for. */
function useCode(value: string | undefined, atLeast: number) {
  const [made, setMade] = useState<{ value: string; code?: QrCode; failed?: true }>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another effect
  useEffect(() => {
    if (value === undefined) return
    let active = true
    const fail = () => active && setMade({ value, failed: true })
    const timer = setTimeout(fail, chunkWait)
    import('./code.ts')
      .then(({ qrCode }) => {
        const code = qrCode(value, atLeast)
        if (active) setMade({ value, code })
      })
      .catch(fail)
      .finally(() => clearTimeout(timer))
    return () => {
      active = false
      clearTimeout(timer)
    }
  }, [value, atLeast, tries])
  const current = value !== undefined && made?.value === value ? made : undefined
  return {
    code: current?.code,
    failed: current?.failed ?? false,
    retry() {
      setMade(undefined)
      setTries(tries + 1)
    },
  }
}

/**
 * At most a sixteenth of the code, which can repair four times as much. A logo that can't be shown leaves no
 * hole.
 */
function Plate({ url }: { url: string | undefined }) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const src = imageUrl(url)
  if (!src || state === 'broken') return null
  return (
    <span css={plate} style={{ opacity: state === 'shown' ? 1 : 0 }} aria-hidden>
      <img
        css={logo}
        src={src}
        alt=""
        referrerPolicy="no-referrer"
        onLoad={() => setState('shown')}
        onError={() => setState('broken')}
      />
    </span>
  )
}

/** The code's text: a link if it is one. */
function TextToCopy({ value, name, gone }: { value: string; name: string; gone: boolean }) {
  const shown = useRef<HTMLSpanElement>(null)
  const href = safeLink(value)
  return (
    <div css={line} style={gone ? { visibility: 'hidden' } : undefined}>
      <span ref={shown} css={words}>
        {href ? <Link href={href}>{value}</Link> : value}
      </span>
      <CopyButton value={value} name={name} shown={shown} />
    </div>
  )
}

const stack: CSSObject = { display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 8 }
const frame: CSSObject = { position: 'relative', flex: 'none', marginInline: 'auto' }
const card: CSSObject = {
  position: 'relative',
  display: 'grid',
  placeItems: 'center',
  height: '100%',
  // The border takes its pixel from the margin.
  boxSizing: 'border-box',
  border: `1px solid ${color('border')}`,
  borderRadius: radius(16),
  background: ink.light,
  boxShadow: shadow(1),
  forcedColorAdjust: 'none',
}
const picture: CSSObject = {
  display: 'block',
  direction: 'ltr',
  transition: `opacity ${motion.base} ${motion.ease}`,
}
const plate: CSSObject = {
  position: 'absolute',
  inset: 0,
  margin: 'auto',
  display: 'grid',
  placeItems: 'center',
  width: 40,
  height: 40,
  borderRadius: radius(10),
  background: ink.light,
}
const logo: CSSObject = {
  display: 'block',
  width: 32,
  height: 32,
  borderRadius: radius(6),
  objectFit: 'contain',
}
const over: CSSObject = { position: 'absolute', inset: 0, display: 'grid', placeItems: 'center' }
const line: CSSObject = {
  ...text('detail'),
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  maxWidth: '100%',
  color: color('text-muted'),
}
const words: CSSObject = {
  ...isolated,
  maxWidth: 220,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  // A link that is cut has its own colour to the end.
  '& > a': { display: 'block', overflow: 'inherit', textOverflow: 'inherit' },
}
