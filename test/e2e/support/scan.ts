import type { Locator } from '@playwright/test'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from './demo.ts'

/** What a camera reads off a card with a QR code. */
export async function scan(card: Locator): Promise<string | undefined> {
  await expect(card.getByRole('img')).toBeVisible()
  const { data, width, height } = PNG.sync.read(await card.screenshot({ scale: 'device' }))
  return jsQr(new Uint8ClampedArray(data), width, height)?.data
}
