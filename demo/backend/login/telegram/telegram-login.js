/** Logs in with Telegram in a window of its own. Served at /js/telegram-login.js; speaks as Telegram's widget does. */
;(() => {
  const telegram = 'https://oauth.telegram.org'
  const { origin } = new URL(telegram)

  /**
   * Opens Telegram's page; to be called within a click. `callback` gets what Telegram signed, or `false`: the person
   * declined or closed the window, or it could not be opened. Where windows are blocked and `return_to` is given, this
   * page goes to Telegram instead, and Telegram sends the person back there.
   */
  function auth(options, callback) {
    const botId = Number.parseInt(options.bot_id, 10)
    if (!botId) throw new Error('Bot id required')
    const back = options.return_to
    const page = new URL(`${telegram}/auth`)
    page.search = new URLSearchParams({
      bot_id: String(botId),
      origin: location.origin,
      ...(options.request_access && { request_access: 'write' }),
      lang: options.lang || 'en',
      return_to: back || location.origin + location.pathname,
    }).toString()

    const [width, height] = [550, 470]
    const left = Math.max(0, screenX + (outerWidth - width) / 2)
    const top = Math.max(0, screenY + (outerHeight - height) / 2)
    const place = `popup,width=${width},height=${height},left=${left},top=${top}`
    const popup = open(page.href, `telegram_oauth_bot${botId}`, place)
    if (!popup) {
      if (back && self === window.top) location.assign(page.href)
      else callback(false)
      return
    }
    popup.focus()
    addEventListener('message', hear)
    const watch = setInterval(() => {
      if (!popup.closed) return
      clearInterval(watch)
      // Its last message may still be on the way.
      setTimeout(finish, 300, false)
    }, 100)

    let finished = false
    function finish(result) {
      if (finished) return
      finished = true
      clearInterval(watch)
      removeEventListener('message', hear)
      popup.close()
      callback(result || false)
    }
    function hear(event) {
      if (event.source !== popup || event.origin !== origin) return
      const message = read(event.data)
      if (message?.event === 'auth_result') finish(message.result)
    }
  }

  function read(text) {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }

  const { Telegram = {} } = window
  Telegram.Login = { ...Telegram.Login, auth }
  window.Telegram = Telegram
})()
