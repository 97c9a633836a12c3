/** Addresses that a provider's page may lead back to. */
import { expect, test } from 'vitest'
import { mayLeadTo } from '../../../demo/backend/login/return-address.ts'
import type { App } from '../../../demo/backend/settings/app.ts'

const app = {
  allowedDomains: ['https://app.example', 'https://*.shop.example', 'http://localhost:*'],
  redirectUrls: ['https://other.example/bought'],
} as unknown as App

test.each([
  'https://app.example/wallet',
  'https://app.example/',
  'https://eu.shop.example/a?b=c',
  'https://other.example/bought',
  'http://localhost:3000/',
])('return address: %s is of the app', (address) => {
  expect(mayLeadTo(app, address)).toBe(true)
})

test.each([
  'https://evil.example/',
  'https://app.example.evil.example/',
  'https://app.example@evil.example/',
  'https://app.example:8443/',
  'http://app.example/',
  'https://other.example/',
  'https://app.example\\@evil.example/',
  '//app.example/',
  'javascript:alert(1)',
  'HTTPS://APP.example/',
  'https://a.b.shop.example/',
])('return address: %s is refused', (address) => {
  expect(mayLeadTo(app, address)).toBe(false)
})
