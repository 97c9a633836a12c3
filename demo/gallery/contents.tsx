import type { CSSObject } from '@emotion/react'
import { color, focusRing, text } from '../../styles/tokens.ts'
import { type Address, sizes, themes, writeAddress } from './address.ts'
import { all } from './screens.ts'

const accents = ['#4F56E0', '#FFD400', '#12A594', '#E5484D', '#FF5A1F', '#1DB954', '#000000', '#FFFFFF']

/** The list of all entries: a small live frame of each, and a link for each theme and size. */
export function Contents({ address }: { address: Address }) {
  const at = (changes: Partial<Address>) => writeAddress({ ...address, ...changes })
  return (
    <main css={page}>
      <h1 css={[text('amount'), { margin: 0 }]}>Latchkey gallery</h1>
      <nav css={bar} aria-label="What the frames show">
        <Choice label="Theme" of={themes} now={address.theme} to={(theme) => at({ theme })} />
        <Choice label="Size" of={sizes} now={address.size} to={(size) => at({ size })} />
        <Choice label="Direction" of={['ltr', 'rtl'] as const} now={address.dir} to={(dir) => at({ dir })} />
        <Choice
          label="Text"
          of={['1', '2'] as const}
          now={String(address.scale)}
          to={(scale) => at({ scale: Number(scale) })}
        />
        <Choice
          label="Accent"
          of={accents}
          now={address.accent ?? accents[0]}
          to={(accent) => at({ accent })}
        />
      </nav>
      {Object.values(all).map(({ screen, examples }) => (
        <section key={screen.id}>
          <h2 css={[text('hero'), { margin: '32px 0 16px' }]}>{screen.id}</h2>
          <div css={grid}>
            {Object.keys(examples).map((example) => (
              <figure key={example} css={card}>
                <div css={[frame, address.size === 'dialog' && wide]}>
                  <iframe
                    title={`${screen.id}: ${example}`}
                    loading="lazy"
                    tabIndex={-1}
                    src={at({ screen: screen.id, example })}
                  />
                </div>
                <figcaption>
                  <a css={link} href={at({ screen: screen.id, example })}>
                    <strong>{example}</strong>
                  </a>
                  {themes.map((theme) => (
                    <div key={theme} css={{ display: 'flex', gap: 12, color: color('text-muted') }}>
                      <span css={{ minWidth: 40 }}>{theme}</span>
                      {sizes.map((size) => (
                        <a key={size} css={link} href={at({ screen: screen.id, example, theme, size })}>
                          {size}
                        </a>
                      ))}
                    </div>
                  ))}
                </figcaption>
              </figure>
            ))}
          </div>
        </section>
      ))}
    </main>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  of: readonly T[]
  now: string | undefined
  to(value: T): string
}
function Choice<T extends string>({ label, of, now, to }: ChoiceProps<T>) {
  return (
    <span css={{ display: 'flex', flexWrap: 'wrap', gap: 8, color: color('text-muted') }}>
      {label}
      {of.map((value) => (
        <a key={value} href={to(value)} css={link} aria-current={value === now || undefined}>
          {value}
        </a>
      ))}
    </span>
  )
}

const page: CSSObject = {
  ...text('body'),
  minHeight: '100vh',
  boxSizing: 'border-box',
  padding: 32,
  background: color('surface'),
  color: color('text'),
}
const bar: CSSObject = { display: 'flex', flexWrap: 'wrap', gap: '8px 24px', margin: '16px 0' }
const grid: CSSObject = { display: 'grid', gridTemplateColumns: 'repeat(auto-fill,272px)', gap: 24 }
const card: CSSObject = { margin: 0, display: 'grid', gap: 8 }
const frame: CSSObject = {
  width: 272,
  height: 462,
  overflow: 'hidden',
  borderRadius: 12,
  border: `1px solid ${color('border')}`,
  iframe: {
    width: 400,
    height: 680,
    border: 0,
    transform: 'scale(.68)',
    transformOrigin: '0 0',
    pointerEvents: 'none',
  },
}
// Wider than a drawer's page.
const wide: CSSObject = { iframe: { width: 488, height: 830, transform: 'scale(.5574)' } }
const link: CSSObject = {
  color: color('accent-text'),
  borderRadius: 4,
  '&[aria-current]': { color: color('text'), fontWeight: 600, textDecoration: 'none' },
  ...focusRing(),
}
