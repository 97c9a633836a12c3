/** What a key that was copied leaves behind when the vault's window ends. */
import { expect, test } from 'vitest'
import { wipeAtEnd, wipeLeftovers } from '../../../src/vault/approval/window/wipe-at-end.ts'
import { createClipboard } from '../../../src/vault/export/clipboard.ts'
import { testClock } from '../../support/clock.ts'

function setUp(allows = true) {
  const written: string[] = []
  async function writeText(text: string) {
    if (text === '' && !allows) throw new Error('Not allowed')
    written.push(text)
  }
  const window = { document: { hasFocus: () => true }, navigator: { clipboard: { writeText } } }
  const told: boolean[] = []
  const clock = testClock()
  const clipboard = createClipboard(window as unknown as Window, clock, (done) => told.push(done))
  return { clipboard, written, told, clock }
}

test('clipboard: a window that ends has something to wait for until a copied key is gone', async () => {
  const { clipboard, written, told, clock } = setUp()
  const forget = wipeAtEnd(clipboard.empty)
  expect(wipeLeftovers()).toBeUndefined()
  await clipboard.copy(Promise.resolve('key'))
  const wiping = wipeLeftovers()
  expect(written).toEqual(['key'])
  await clock.advance(0)
  expect(await wiping).toBe(true)
  expect(written).toEqual(['key', ''])
  expect(told).toEqual([true])
  expect(wipeLeftovers()).toBeUndefined()
  forget()
})

test('clipboard: a window that ends learns that the browser has not emptied it', async () => {
  const { clipboard, told, clock } = setUp(false)
  const forget = wipeAtEnd(clipboard.empty)
  await clipboard.copy(Promise.resolve('key'))
  const wiping = wipeLeftovers()
  await clock.advance(0)
  expect(await wiping).toBe(false)
  expect(told).toEqual([false])
  forget()
})
