import type { CSSObject } from '@emotion/react'
import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../../ui/actions/icon-button.tsx'
import { LinkButton } from '../../ui/actions/link-button.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { x } from '../../ui/icons/frame.ts'
import { search } from '../../ui/icons/lucide.ts'
import { giving } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { faded, useEdges } from '../../ui/panel/use-edges.ts'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

export interface ListedWallet extends ShownWallet {
  readonly key: string
  /** The wallet that was used last. */
  readonly recent: boolean
  /** Represents the wallet's Solana accounts. */
  readonly solana: boolean
  /** It is in this browser, or can be reached from it; otherwise it must be installed first. */
  readonly here: boolean
}

interface WalletSearchProps {
  wallets: readonly ListedWallet[]
  /** So many of them, the first, the user has just seen; they are listed when a search finds them. */
  seen: number
  rows(shown: readonly ListedWallet[]): ReactNode
  inert: boolean
  onPick(key: string): void
  /** Shows wallets beyond this list. */
  onAll?: (() => void) | undefined
}

/** A long list of wallets under a search field. Enter takes the first match. */
export function WalletSearch({ wallets, seen, rows, inert, onPick, onAll }: WalletSearchProps): ReactNode {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  useEdges(box)
  const clear = () => {
    setQuery('')
    input.current?.focus()
  }
  const found = query.trim() ? searchWallets(wallets, query) : wallets.slice(seen)
  const nothing = found.length === 0 && t('connect.list.nothing', { query: query.trim() })
  useAnnounced(nothing)
  return (
    <>
      <form
        css={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (first && query.trim() && !inert) onPick(first.key)
        }}
      >
        <Field
          label={t('connect.list.search')}
          placeholder={t('connect.list.search')}
          icon={search}
          ref={input}
          type="text"
          role="searchbox"
          inputMode="search"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={inert}
          dimmed={inert}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          trailing={query && !inert && <IconButton icon={x} name={t('connect.list.clear')} onClick={clear} />}
        />
      </form>
      <div ref={box} css={list}>
        {rows(found)}
        {nothing && (
          <Empty icon={search} text={nothing}>
            <LinkButton disabled={inert} onClick={onAll ?? clear}>
              {t(onAll ? 'connect.list.searchAll' : 'connect.list.clear')}
            </LinkButton>
          </Empty>
        )}
      </div>
    </>
  )
}

/** The wallets whose names contain every word of the query; names that begin with it come first. */
function searchWallets<W extends { readonly name: string }>(
  wallets: readonly W[],
  query: string,
): readonly W[] {
  const words = fold(query).split(/\s+/).filter(Boolean)
  if (words.length === 0) return wallets
  const begins = ({ name }: W) => fold(name).startsWith(words.join(' '))
  const found = wallets.filter(({ name }) => words.every((word) => fold(name).includes(word)))
  return [...found.filter(begins), ...found.filter((wallet) => !begins(wallet))]
}

/** Ignores case and accents. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

// The line that a field reserves for its error is the gap here, because a search has no errors.
const form: CSSObject = { flex: 'none', marginBlockEnd: -18 }
const list: CSSObject = {
  ...faded,
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  '& > *': { flex: 'none' },
  ...giving(152),
}
