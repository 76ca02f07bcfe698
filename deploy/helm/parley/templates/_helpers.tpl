{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.secret" -}}
{{ .Values.secret.existing | default (printf "%s-environment" .Release.Name) }}
{{- end }}

{{/* The pod spec for one role: dict with root, role, resources, drainSeconds. */}}
{{- define "parley.pod" -}}
{{- $values := .root.Values -}}
{{- if not (or $values.storage.volume.enabled $values.env.STORAGE_URL $values.secret.values.STORAGE_URL $values.secret.existing) }}
{{- fail "Files need storage shared by all pods: set STORAGE_URL in env or secret.values, or storage.volume.enabled" }}
{{- end }}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ add 35 .drainSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: parley
    image: "{{ $values.image.repository }}:{{ $values.image.tag }}"
    imagePullPolicy: {{ $values.image.pullPolicy }}
    ports: [{ name: http, containerPort: 3000 }]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    envFrom:
      - secretRef: { name: {{ include "parley.secret" .root }} }
    env:
      - { name: ROLE, value: {{ .role }} }
      - { name: PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
      - { name: TRUSTED_PROXIES, value: {{ $values.trustedProxies | quote }} }
      - { name: DRAIN_SECONDS, value: {{ .drainSeconds | quote }} }
      {{- range $name, $value := $values.env }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 3
      failureThreshold: 2
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
      failureThreshold: 6
    startupProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 2
      # Leaves time to migrate a large database.
      failureThreshold: 300
    resources: {{ toYaml .resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    {{- if $values.storage.volume.enabled }}
    persistentVolumeClaim: { claimName: {{ .root.Release.Name }}-data }
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end }}
