/** Where else an agent is: channels, and what it tells other services. */
export const pluginsMessages = {
  'plugins.installName': 'Install {name}',
  'plugins.installed': '{name} installed',
  'plugins.installedFailing': 'It does not work yet: {error}',
  'plugins.channels': 'Channels and integrations',
  'plugins.notAvailable': 'The operator of this installation has to set this up first.',
  'plugins.widget': 'Website widget',
  'plugins.widgetText': 'The agent on your own site, with one line of HTML.',
  'plugins.mayNotWrite': 'Your role lets you see the plugin, but not change it.',
  'plugins.pause': 'Pause',
  'plugins.resume': 'Resume',
  'plugins.connectAgain': 'Connect {name} again',
  'plugins.check': 'Check now',
  'plugins.checked': 'It works',
  'plugins.pausedText.channel':
    'This plugin is paused: what people write there is not answered and not kept.',
  'plugins.pausedText.webhook':
    'This plugin is paused: your service is told nothing. What happens meanwhile is told when it goes on.',
  'plugins.health.unknown': 'Not checked',
  'plugins.health.healthy': 'Works',
  'plugins.health.failing': 'Does not work',
  'plugins.checkedAt': 'Checked',

  'plugins.steps': 'How it is set up',
  'plugins.webhookUrl': 'Address for messages',
  'plugins.verifyToken': 'Verification token',
  'plugins.copyAddress': 'Copy address',
  'plugins.copyToken': 'Copy token',
  'plugins.addressLater': 'The address that it asks for is shown after installing.',
  'plugins.publicNeeded': 'The service has to reach this address from the internet.',
  'plugins.steps.twitter.1':
    'Install the plugin, and sign in at X with the account that the agent speaks for.',
  'plugins.steps.twitter.2':
    'Write a post that names the account, or a direct message to it. It is answered within about a minute, or later where X allows fewer requests.',
  'plugins.steps.telegram.1': 'Write /newbot to @BotFather in Telegram, and choose a name.',
  'plugins.steps.telegram.2': 'Copy the token that it gives you into the field below.',
  'plugins.steps.telegram.3': 'Write to your bot. In a group it answers whoever names it.',
  'plugins.steps.slack.1':
    'Make an application at api.slack.com/apps. Under “OAuth & Permissions” give the bot chat:write, app_mentions:read, im:history and users:read; channels:history and groups:history for threads; files:read for files. Install it and copy the bot token.',
  'plugins.steps.slack.2': 'Copy the signing secret from “Basic Information”.',
  'plugins.steps.slack.3':
    'After installing here: under “Event Subscriptions” enter the address for messages, and subscribe the bot to app_mention and message.im; message.channels and message.groups for threads.',
  'plugins.steps.slack.4':
    'Allow messages in the messages tab under “App Home”, and invite the bot to channels.',
  'plugins.steps.discord.1':
    'Make an application at discord.com/developers/applications that is used for nothing else. Copy its id and its public key.',
  'plugins.steps.discord.2': 'Make a token under “Bot”.',
  'plugins.steps.discord.3':
    'After installing here: install the application on your server with the scope applications.commands. People ask with /ask.',
  'plugins.steps.whatsapp.1':
    'Make an application with the product WhatsApp at developers.facebook.com, and add or take a number. Copy the id of the phone number and the app secret.',
  'plugins.steps.whatsapp.2':
    'Make a permanent token for a system user with whatsapp_business_messaging and whatsapp_business_management.',
  'plugins.steps.whatsapp.3':
    'After installing here: under “Configuration” enter the address for messages and the verification token, and subscribe to messages.',
  'plugins.steps.email.1':
    'Choose the address to which people write, and the name that they see. Answers are sent over a mail server that may send as this address.',
  'plugins.steps.email.2':
    'Let the service or server that receives mail for the address hand it on to the address for messages, as it came: Postmark (with the raw mail), SendGrid (raw), Mailgun (MIME), or your own by a POST of message/rfc822.',
  'plugins.steps.email.3':
    'It proves itself by the verification token: as bearer token, or as password of basic authentication.',
  'plugins.steps.webhook.1': 'Give the address of your own service. It is told at once that it is connected.',
  'plugins.steps.webhook.2':
    'Check each delivery with the signing secret, as Standard Webhooks says. There are libraries for it in most languages.',

  'plugins.field.botToken': 'Bot token',
  'plugins.field.signingSecret': 'Signing secret',
  'plugins.field.applicationId': 'Application id',
  'plugins.field.publicKey': 'Public key',
  'plugins.field.phoneNumberId': 'Id of the phone number',
  'plugins.hint.phoneNumberId': 'Not the number itself.',
  'plugins.field.accessToken': 'Access token',
  'plugins.field.appSecret': 'App secret',
  'plugins.field.address': 'E-mail address',
  'plugins.field.name': 'Name of the sender',
  'plugins.field.smtpUrl': 'Mail server',
  'plugins.hint.smtpUrl':
    'Like smtps://user:password@smtp.example.com:465. Empty: the mail server of this installation.',
  'plugins.field.url': 'Address',
  'plugins.field.events': 'What it is told',
  'plugins.event.conversation.started': 'A conversation has begun',
  'plugins.event.answer.completed': 'The agent has answered',
  'plugins.event.answer.failed': 'An answer failed or broke off',
  'plugins.event.feedback.given': 'Somebody has rated an answer',
  'plugins.event.lead.collected': 'Somebody has given contact details',
  'plugins.event.handover.requested': 'Somebody waits for a person',
  'plugins.event.usage.alert': 'Much of what the plan holds is used',

  'plugins.settings': 'Settings',
  'plugins.credentials': 'Credentials',
  'plugins.credentialsLead': 'They are stored encrypted and never shown. Give all of them to replace them.',
  'plugins.credentialsNew': 'They are stored encrypted and never shown again.',
  'plugins.replace': 'Replace',

  'plugins.secret': 'Signing secret',
  'plugins.secretLead': 'By it your service sees that a delivery is from here.',
  'plugins.secretShow': 'Show',
  'plugins.secretCopy': 'Copy secret',
  'plugins.secretRotate': 'Make a new one',
  'plugins.secretRotateText': 'From now on everything is signed by the new one. Put it into your service.',

  'plugins.messages': 'Messages',
  'plugins.messagesLead': 'What people wrote there in the last 30 days, and what became of it.',
  'plugins.messagesNone': 'Nobody has written yet',
  'plugins.messagesNoneText': 'Messages appear here as soon as they arrive.',
  'plugins.message': 'Message',
  'plugins.state': 'State',
  'plugins.when': 'When',
  'plugins.state.received': 'Waiting',
  'plugins.state.answering': 'Being answered',
  'plugins.state.answered': 'Answered',
  'plugins.state.failed': 'Failed',

  'plugins.deliveries': 'Deliveries',
  'plugins.deliveriesLead':
    'What it was told in the last 30 days. What does not arrive is tried again for a day and a half.',
  'plugins.deliveriesNone': 'Nothing was told yet',
  'plugins.deliveriesNoneText': 'Deliveries appear here a moment after something has happened.',
  'plugins.event': 'Event',
  'plugins.actions': 'Actions',
  'plugins.replay': 'Send again',
  'plugins.replayed': 'It is on its way again',
  'plugins.delivery.pending': 'On its way',
  'plugins.delivery.delivered': 'Delivered',
  'plugins.delivery.failed': 'Given up',
  'plugins.attempts#one': '{count} try',
  'plugins.attempts#other': '{count} tries',

  'plugins.removeLead.channel':
    'Its credentials are forgotten, and the agent does not answer there any more. Conversations stay.',
  'plugins.removeLead.webhook':
    'Your service is told nothing any more. The signing secret and the list of deliveries are gone.',
} as const;
