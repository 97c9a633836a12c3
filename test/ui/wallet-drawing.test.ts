import { describe, expect, it } from 'vitest'
import { walletDrawing } from '../../src/ui/icons/wallet-drawing.ts'
import { wallets } from '../../src/ui/icons/wallets.ts'

/** Which drawing each client type gets. */
const present =
  `metamask phantom coinbase_wallet coinbase_smart_wallet rainbow zerion rabby_wallet okx_wallet safe
  wallet_connect ledger trust solflare backpack uniswap bybit_wallet cryptocom ronin_wallet glow
  uniswap_wallet_extension uniswap_extension crypto.com_wallet_extension crypto.com_onchain`.split(/\s+/)

describe("a wallet's drawing", () => {
  it.each(present)('is there for %s', (type) => {
    const [kind, svg = ''] = walletDrawing(type)?.split(',') ?? []
    expect(kind).toBe('data:image/svg+xml')
    expect(decodeURIComponent(svg)).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 24 24" fill="none"><.*<\/svg>$/)
  })

  it.each(['universal_profile', 'haha', '', 'constructor', '__proto__', 'hasOwnProperty'])(
    'is not made up for %j',
    (type) => {
      expect(walletDrawing(type)).toBeUndefined()
    },
  )

  it('is a picture and nothing else, whole in itself', () => {
    for (const [name, inside] of Object.entries(wallets)) {
      expect(inside, name).not.toMatch(/<script|<style|<image|<foreign|href|\son\w+=|style=/i)
      for (const [, id] of inside.matchAll(/url\(#([^)]+)\)/g)) expect(inside, name).toContain(`id="${id}"`)
    }
  })
})
