import { describe, expect, it } from 'vitest'
import { usdcOn } from '../../src/lib/usdc.ts'
import { assetDrawing } from '../../src/ui/icons/asset-drawing.ts'
import { assets } from '../../src/ui/icons/assets.ts'

const svgOf = (address = '') => decodeURIComponent(address.split(',')[1] ?? '')
const nameOf = (address: string | undefined) =>
  Object.entries(assets).find(([, inside]) => svgOf(address).includes(inside))?.[0]
const namesOf = (chain: string, token?: string) => {
  const { asset, network } = assetDrawing(chain, token)
  return [nameOf(asset), nameOf(network)]
}
const lower = (text: string | undefined) => text?.toLowerCase()

describe('the mark of an asset', () => {
  it.each([
    ['eip155:1', ['ethereum', undefined]],
    ['eip155:8453', ['ethereum', 'base']],
    ['eip155:42161', ['ethereum', 'arbitrumOne']],
    ['eip155:137', ['polygon', undefined]],
    ['solana:mainnet', ['solana', undefined]],
    ['solana:devnet', ['solana', undefined]],
    ['eip155:7', [undefined, undefined]],
    ['', [undefined, undefined]],
  ])('is that of the coin on %j, with its network where that has another one', (chain, names) => {
    expect(namesOf(chain)).toEqual(names)
  })

  it('is that of USDC for its contract alone, however it is written', () => {
    expect(namesOf('eip155:8453', usdcOn('eip155:8453'))).toEqual(['USDC', 'base'])
    expect(namesOf('eip155:8453', lower(usdcOn('eip155:8453')))).toEqual(['USDC', 'base'])
    expect(namesOf('eip155:8453', usdcOn('eip155:1'))).toEqual([undefined, 'base'])
    expect(namesOf('solana:mainnet', usdcOn('solana:mainnet'))).toEqual(['USDC', 'solana'])
    expect(namesOf('solana:mainnet', lower(usdcOn('solana:mainnet')))).toEqual([undefined, 'solana'])
    expect(namesOf('eip155:7', usdcOn('eip155:1'))).toEqual([undefined, undefined])
  })

  it('is a picture and nothing else, whole in itself', () => {
    for (const [name, inside] of Object.entries(assets)) {
      expect(inside, name).not.toMatch(/<script|<style|<image|<foreign|href|\son\w+=|style=/i)
      for (const [, id] of inside.matchAll(/url\(#([^)]+)\)/g)) expect(inside, name).toContain(`id="${id}"`)
    }
  })
})
