import { describe, expect, it } from 'vitest'
import { appLink } from '../../src/lib/app-link.ts'

const uri = 'wc:7f6e504bfad60b485450578e05678ed3@2?relay-protocol=irn&symKey=587d54'

describe('a link to an app', () => {
  it.each([
    'https://metamask.app.link/wc?uri=wc%3Aabc',
    `metamask://wc?uri=${encodeURIComponent(uri)}`,
    'cryptowallet://wc?uri=x',
    'okex://main/wc?uri=x',
    'ledgerlive://wc?uri=x',
    uri,
  ])('may be %s', (text) => {
    expect(appLink(text)).toBe(text)
  })

  it.each([
    undefined,
    '',
    'metamask',
    'metamask:',
    '//metamask.io',
    'javascript:alert(1)',
    'javascript://%0aalert(1)',
    'JavaScript://x%0aalert(1)',
    'java\nscript://%0aalert(1)',
    ' javascript://%0aalert(1)',
    '\u0001javascript://%0aalert(1)',
    'vbscript://x',
    'data:text/html,<script>alert(1)</script>',
    'data://text/html,x',
    'blob://x',
    'file:///etc/passwd',
    'filesystem://x',
    'about://blank',
    'view-source://x',
    'intent://scan/#Intent;scheme=x;S.browser_fallback_url=https%3A%2F%2Fevil.example;end',
    'android-app://x',
    'chrome://settings',
    'chrome-extension://abc/x.html',
    'http://metamask.io',
    'ws://relay.example',
    'wss://relay.example',
    'https://',
    'wc:x',
    'wc:javascript:alert(1)',
    'metamask://wc?uri=a b',
  ])('is never %j', (text) => {
    expect(appLink(text)).toBeUndefined()
  })
})
