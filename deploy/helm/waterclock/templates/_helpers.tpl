{{- define "waterclock.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "waterclock.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "waterclock.labels" -}}
{{ include "waterclock.selector" . }}
app.kubernetes.io/part-of: {{ .Chart.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- /* One line of a properties file. Helm reads every number as a float: whole ones are printed without an exponent. */ -}}
{{- define "waterclock.property" -}}
{{- $value := .value -}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) -}}
{{- $value = printf "%.0f" $value -}}
{{- end -}}
{{ .key }}={{ $value | toString | replace "\\" "\\\\" | replace "\n" "\\n" }}
{{- end -}}
