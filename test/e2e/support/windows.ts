import type { Page } from '@playwright/test'

/**
 * Presses what closes the window that it stands in, and waits until that has closed. A window can be gone before
 * Playwright hears that its press arrived, which it then calls a failure: that the window closed is what counts.
 */
export async function pressAndClose(popup: Page, button: string): Promise<void> {
  const pressed = popup
    .getByRole('button', { name: button })
    .click()
    .catch((error: unknown) => {
      if (!String(error).includes('has been closed')) throw error
    })
  await Promise.all([popup.waitForEvent('close'), pressed])
}
