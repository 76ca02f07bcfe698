/** Where else an agent is available: channels, and what it tells other services. */
export const pluginsMessages = {
  'plugins.installName': 'Install {name}',
  'plugins.installed': '{name} installed',
  'plugins.installedFailing': 'It is not working yet: {error}',
  'plugins.channels': 'Channels and integrations',
  'plugins.notAvailable': 'The operator of this installation has to set this up first.',
  'plugins.widget': 'Website widget',
  'plugins.widgetText': 'The agent on your own site, with one line of HTML.',
  'plugins.mayNotWrite': 'Your role lets you view the plugin, but not change it.',
  'plugins.pause': 'Pause',
  'plugins.resume': 'Resume',
  'plugins.connectAgain': 'Connect {name} again',
  'plugins.check': 'Check now',
  'plugins.checked': 'It works',
  'plugins.pausedText.channel': 'This plugin is paused: messages there are not answered and not kept.',
  'plugins.pausedText.webhook':
    'This plugin is paused: your service is not notified. What happens meanwhile is sent when you resume it.',
  'plugins.health.unknown': 'Not checked',
  'plugins.health.healthy': 'Working',
  'plugins.health.failing': 'Not working',
  'plugins.checkedAt': 'Checked',

  'plugins.steps': 'How to set it up',
  'plugins.webhookUrl': 'Address for messages',
  'plugins.verifyToken': 'Verification token',
  'plugins.copyAddress': 'Copy address',
  'plugins.copyToken': 'Copy token',
  'plugins.addressLater': 'The address it asks for is shown after installing.',
  'plugins.publicNeeded': 'The service must be able to reach this address from the internet.',
  'plugins.steps.twitter.1': 'Install the plugin and sign in to X with the account the agent speaks for.',
  'plugins.steps.twitter.2':
    'Mention the account in a post, or send it a direct message. It is answered within about a minute, or later if X allows fewer requests.',
  'plugins.steps.telegram.1': 'Send /newbot to @BotFather in Telegram and choose a name.',
  'plugins.steps.telegram.2': 'Copy the token it gives you into the field below.',
  'plugins.steps.telegram.3': 'Write to your bot. In groups it answers when it is mentioned.',
  'plugins.steps.slack.1':
    'Create an app at api.slack.com/apps. Under “OAuth & Permissions”, give the bot chat:write, app_mentions:read, im:history and users:read; channels:history and groups:history for threads; files:read for files. Install it and copy the bot token.',
  'plugins.steps.slack.2': 'Copy the signing secret from “Basic Information”.',
  'plugins.steps.slack.3':
    'After installing here: under “Event Subscriptions”, enter the address for messages and subscribe the bot to app_mention and message.im; message.channels and message.groups for threads.',
  'plugins.steps.slack.4':
    'Under “App Home”, allow messages in the messages tab. Invite the bot to channels.',
  'plugins.steps.discord.1':
    'Create an application at discord.com/developers/applications and use it for nothing else. Copy its ID and its public key.',
  'plugins.steps.discord.2': 'Create a token under “Bot”.',
  'plugins.steps.discord.3':
    'After installing here: install the application on your server with the scope applications.commands. People ask with /ask.',
  'plugins.steps.whatsapp.1':
    'Create an app with the WhatsApp product at developers.facebook.com, and add or choose a number. Copy the phone number ID and the app secret.',
  'plugins.steps.whatsapp.2':
    'Create a permanent token for a system user with whatsapp_business_messaging and whatsapp_business_management.',
  'plugins.steps.whatsapp.3':
    'After installing here: under “Configuration”, enter the address for messages and the verification token, and subscribe to messages.',
  'plugins.steps.email.1':
    'Choose the address people write to and the name they see. Answers go out through a mail server that may send from this address.',
  'plugins.steps.email.2':
    'Have the service or server that receives mail for the address forward it unchanged to the address for messages: Postmark (with the raw mail), SendGrid (raw), Mailgun (MIME), or your own with a POST of message/rfc822.',
  'plugins.steps.email.3':
    'It authenticates with the verification token: as a bearer token, or as the password of basic authentication.',
  'plugins.steps.webhook.1':
    'Enter the address of your own service. It is notified right away that it is connected.',
  'plugins.steps.webhook.2':
    'Verify each delivery with the signing secret, as Standard Webhooks describes. Most languages have libraries for it.',

  'plugins.field.botToken': 'Bot token',
  'plugins.field.signingSecret': 'Signing secret',
  'plugins.field.applicationId': 'Application ID',
  'plugins.field.publicKey': 'Public key',
  'plugins.field.phoneNumberId': 'Phone number ID',
  'plugins.hint.phoneNumberId': 'Not the number itself.',
  'plugins.field.accessToken': 'Access token',
  'plugins.field.appSecret': 'App secret',
  'plugins.field.address': 'E-mail address',
  'plugins.field.name': 'Sender name',
  'plugins.field.smtpUrl': 'Mail server',
  'plugins.hint.smtpUrl':
    'Like smtps://user:password@smtp.example.com:465. Leave empty for this installation’s mail server.',
  'plugins.field.url': 'Address',
  'plugins.field.events': 'Events',
  'plugins.event.conversation.started': 'A conversation started',
  'plugins.event.answer.completed': 'The agent answered',
  'plugins.event.answer.failed': 'An answer failed or was cut off',
  'plugins.event.feedback.given': 'Someone rated an answer',
  'plugins.event.lead.collected': 'Someone left contact details',
  'plugins.event.handover.requested': 'Someone is waiting for a person',
  'plugins.event.usage.alert': 'Plan usage is high',

  'plugins.settings': 'Settings',
  'plugins.credentials': 'Credentials',
  'plugins.credentialsLead': 'Stored encrypted and never shown. To replace them, enter all of them.',
  'plugins.credentialsNew': 'Stored encrypted and never shown again.',
  'plugins.replace': 'Replace',

  'plugins.secret': 'Signing secret',
  'plugins.secretLead': 'Your service uses it to verify that a delivery comes from here.',
  'plugins.secretShow': 'Show',
  'plugins.secretCopy': 'Copy secret',
  'plugins.secretRotate': 'Create a new one',
  'plugins.secretRotateText': 'From now on, everything is signed with the new one. Enter it in your service.',

  'plugins.messages': 'Messages',
  'plugins.messagesLead': 'What people wrote there in the last 30 days, and what came of it.',
  'plugins.messagesNone': 'No messages yet',
  'plugins.messagesNoneText': 'Messages appear here as soon as they arrive.',
  'plugins.message': 'Message',
  'plugins.state': 'Status',
  'plugins.when': 'When',
  'plugins.state.received': 'Waiting',
  'plugins.state.answering': 'Being answered',
  'plugins.state.answered': 'Answered',
  'plugins.state.failed': 'Failed',

  'plugins.deliveries': 'Deliveries',
  'plugins.deliveriesLead':
    'Events sent in the last 30 days. Failed deliveries are retried for a day and a half.',
  'plugins.deliveriesNone': 'No deliveries yet',
  'plugins.deliveriesNoneText': 'Deliveries appear here moments after an event.',
  'plugins.event': 'Event',
  'plugins.actions': 'Actions',
  'plugins.replay': 'Send again',
  'plugins.replayed': 'It is being sent again',
  'plugins.delivery.pending': 'Pending',
  'plugins.delivery.delivered': 'Delivered',
  'plugins.delivery.failed': 'Failed',
  'plugins.attempts#one': '{count} attempt',
  'plugins.attempts#other': '{count} attempts',

  'plugins.removeLead.channel':
    'Its credentials are deleted, and the agent stops answering there. Conversations stay.',
  'plugins.removeLead.webhook':
    'Your service is no longer notified. The signing secret and the list of deliveries are deleted.',
} as const;
