import type { CDPSession, Page } from '@playwright/test'

/** Gives a page an authenticator of its own, and a user who does at once what it asks for. */
export async function startAuthenticator(
  page: Page,
  isUserVerified = true,
): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}
